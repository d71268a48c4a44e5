import type { NewQr, QrChange, QrDetails } from '../../../server/contract/qr.ts';
import type { QrType } from '../../../server/contract/qr-content.ts';

/** The content fields of all types in one object: input is kept when switching to a type with the same field. */
export interface QrDataState {
  url: string;
  text: string;
  email: string;
  subject: string;
  message: string;
  phone: string;
  ssid: string;
  encryption: 'WPA' | 'WEP' | 'nopass';
  password: string;
  hidden: boolean;
  firstname: string;
  lastname: string;
  organization: string;
  position: string;
  mobile: string;
  website: string;
  street: string;
  city: string;
  region: string;
  zip: string;
  country: string;
  note: string;
  title: string;
  start: string;
  end: string;
  location: string;
  description: string;
  latitude: string;
  longitude: string;
  label: string;
}

/** Form state of a code; '' is not set. */
export interface QrFormState {
  name: string;
  type: QrType;
  data: QrDataState;
  dynamic: boolean;
  custom: string;
  foreground: string;
  background: string;
  transparent: boolean;
  coloring: 'plain' | 'linear' | 'radial';
  gradientTo: string;
  gradientAngle: number;
  modules: QrDetails['modules'];
  eyes: QrDetails['eyes'];
  pupils: QrDetails['pupils'];
  /** Whether the eyes have their own color. */
  ownEyes: boolean;
  eyecolor: string;
  logo: string;
  logosize: number;
  frame: QrDetails['frame'];
  caption: string;
  ownFrame: boolean;
  framecolor: string;
  correction: QrDetails['correction'];
  margin: number;
}

const emptyData: QrDataState = {
  url: '',
  text: '',
  email: '',
  subject: '',
  message: '',
  phone: '',
  ssid: '',
  encryption: 'WPA',
  password: '',
  hidden: false,
  firstname: '',
  lastname: '',
  organization: '',
  position: '',
  mobile: '',
  website: '',
  street: '',
  city: '',
  region: '',
  zip: '',
  country: '',
  note: '',
  title: '',
  start: '',
  end: '',
  location: '',
  description: '',
  latitude: '',
  longitude: '',
  label: '',
};

/** The fields of each type; the first one is required. */
const fieldsOf: Record<QrType, readonly (keyof QrDataState)[]> = {
  link: ['url'],
  text: ['text'],
  email: ['email', 'subject', 'message'],
  phone: ['phone'],
  sms: ['phone', 'message'],
  wifi: ['ssid', 'encryption', 'password', 'hidden'],
  vcard: [
    'firstname',
    'lastname',
    'organization',
    'position',
    'phone',
    'mobile',
    'email',
    'website',
    'street',
    'city',
    'region',
    'zip',
    'country',
    'note',
  ],
  event: ['title', 'start', 'end', 'location', 'description'],
  geo: ['latitude', 'longitude', 'label'],
};

/** Sample content for the preview until the form is filled in. */
const samples: Record<QrType, Record<string, unknown>> = {
  link: { url: 'https://example.com/' },
  text: { text: '…' },
  email: { email: 'name@example.com' },
  phone: { phone: '+49 30 123456' },
  sms: { phone: '+49 30 123456' },
  wifi: { ssid: '…', encryption: 'nopass' },
  vcard: { firstname: '…' },
  event: { title: '…', start: '2030-01-01' },
  geo: { latitude: 0, longitude: 0 },
};

/** The form state of a new code. */
export function emptyQrForm(): QrFormState {
  return {
    name: '',
    type: 'link',
    data: { ...emptyData },
    dynamic: true,
    custom: '',
    foreground: '#000000',
    background: '#FFFFFF',
    transparent: false,
    coloring: 'plain',
    gradientTo: '#2563EB',
    gradientAngle: 45,
    modules: 'square',
    eyes: 'square',
    pupils: 'square',
    ownEyes: false,
    eyecolor: '#2563EB',
    logo: '',
    logosize: 22,
    frame: 'none',
    caption: '',
    ownFrame: false,
    framecolor: '#000000',
    correction: 'auto',
    margin: 4,
  };
}

/** The form state of an existing code. */
export function formOfQr(qr: QrDetails): QrFormState {
  const start = emptyQrForm();
  const { gradient } = qr;
  return {
    ...start,
    name: qr.name,
    type: qr.type,
    data: dataOf(qr),
    dynamic: qr.dynamic,
    custom: qr.alias,
    foreground: gradient?.from ?? qr.foreground,
    background: qr.background === 'transparent' ? start.background : qr.background,
    transparent: qr.background === 'transparent',
    coloring: gradient?.type ?? 'plain',
    gradientTo: gradient?.to ?? start.gradientTo,
    gradientAngle: gradient?.angle ?? start.gradientAngle,
    modules: qr.modules,
    eyes: qr.eyes,
    pupils: qr.pupils,
    ownEyes: qr.eyecolor !== null,
    eyecolor: qr.eyecolor ?? start.eyecolor,
    logo: qr.logo ?? '',
    logosize: qr.logosize,
    frame: qr.frame,
    caption: qr.caption ?? '',
    ownFrame: qr.framecolor !== null,
    framecolor: qr.framecolor ?? start.framecolor,
    correction: qr.correction,
    margin: qr.margin,
  };
}

/** The create request. */
export function newQrOf(form: QrFormState): NewQr {
  return bodyOf(form);
}

/** The changed fields in API format; null resets a field to its default. */
export function qrChangeOf(form: QrFormState, before: QrFormState): QrChange {
  const whole = bodyOf(form);
  const old: Record<string, unknown> = bodyOf(before);
  const changed = Object.entries(whole).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  // The content is validated according to its type, so both are sent together.
  const isContentChanged = changed.some(([name]) => name === 'data' || name === 'type');
  const rest: QrChange = Object.fromEntries(changed.filter(([name]) => name !== 'data' && name !== 'type'));
  return { ...rest, ...(isContentChanged && { type: whole.type, data: whole.data }) };
}

/** The preview request, with sample content until the form is filled in. */
export function previewBodyOf(form: QrFormState, id: number | undefined): QrChange & { id?: number } {
  const { name: _name, custom, ...body } = bodyOf(form);
  const data = isFilledIn(form) ? body.data : samples[form.type];
  return { ...body, data, ...(id === undefined ? custom && { custom } : { id }) };
}

/** Whether the required content is filled in. */
export function isFilledIn({ type, data }: QrFormState): boolean {
  if (type === 'vcard') return Boolean(data.firstname || data.lastname || data.organization);
  if (type === 'geo') return data.latitude.trim() !== '' && data.longitude.trim() !== '';
  if (type === 'event') return Boolean(data.title.trim() && data.start);
  if (type === 'wifi' && data.encryption !== 'nopass' && data.password === '') return false;
  return fieldsOf[type].slice(0, 1).every((field) => String(data[field]).trim() !== '');
}

function bodyOf(form: QrFormState) {
  const { coloring } = form;
  return {
    name: form.name.trim(),
    type: form.type,
    data: contentOf(form),
    dynamic: form.dynamic,
    ...(form.custom.trim() && { custom: form.custom.trim() }),
    foreground: form.foreground,
    background: form.transparent ? 'transparent' : form.background,
    gradient:
      coloring === 'plain'
        ? null
        : { type: coloring, from: form.foreground, to: form.gradientTo, angle: form.gradientAngle },
    modules: form.modules,
    eyes: form.eyes,
    pupils: form.pupils,
    eyecolor: form.ownEyes ? form.eyecolor : null,
    logo: form.logo || null,
    logosize: form.logosize,
    frame: form.frame,
    caption: form.caption.trim() || null,
    framecolor: form.ownFrame ? form.framecolor : null,
    correction: form.correction,
    margin: form.margin,
  };
}

/** The content in API format: only the non-empty fields of its type. */
function contentOf({ type, data }: QrFormState): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const field of fieldsOf[type]) {
    const value = data[field];
    if (value === '') continue;
    if (field === 'latitude' || field === 'longitude')
      content[field] = Number(String(value).replace(',', '.'));
    else if (field === 'position') content.title = value;
    else if (field === 'start' || field === 'end') content[field] = String(value).replace('T', ' ');
    else content[field] = value;
  }
  return content;
}

function dataOf({ type, data }: QrDetails): QrDataState {
  const filled: Record<string, unknown> = { ...emptyData };
  for (const field of fieldsOf[type]) {
    const value = field === 'position' ? data.title : data[field];
    if (value === null || value === undefined) continue;
    const isTimestamp = field === 'start' || field === 'end';
    filled[field] =
      typeof value === 'boolean'
        ? value
        : isTimestamp
          ? String(value).slice(0, 16).replace(' ', 'T')
          : String(value);
  }
  // `filled` has every field of the empty state, with the same types.
  return filled as unknown as QrDataState;
}
