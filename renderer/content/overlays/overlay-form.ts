import {
  type NewOverlay,
  type OverlayColors,
  type OverlayDetails,
  type OverlayDraft,
  type OverlayType,
  overlayTypes,
} from '../../../server/contract/overlays.ts';
import { email } from '../../../server/contract/sessions.ts';
import { pastedAddress } from '../../ui/addresses.ts';

/** The texts of all types in one object, so that input survives a change of type. */
export interface OverlayTexts {
  text: string;
  label: string;
  link: string;
  title: string;
  button: string;
  email: string;
  question: string;
  /** Ids stay the same when rows are reordered. */
  answers: { id: number; text: string }[];
  code: string;
  image: string;
}

/** Form state of an overlay; '' is not set. */
export interface OverlayFormState {
  name: string;
  type: OverlayType;
  position: OverlayDetails['position'];
  colors: OverlayColors;
  content: OverlayTexts;
}

/** The contract's limits for answers. */
export const leastAnswers = 2;
export const mostAnswers = 10;

/** Preset color palettes with sufficient contrast. */
export const palettes: readonly { readonly name: string; readonly colors: OverlayColors }[] = [
  { name: 'light', colors: colorsOf('#FFFFFF', '#15181E', '#2563EB', '#FFFFFF') },
  { name: 'dark', colors: colorsOf('#15181E', '#F5F6F8', '#F5F6F8', '#15181E') },
  { name: 'blue', colors: colorsOf('#1D4ED8', '#FFFFFF', '#FFFFFF', '#1D4ED8') },
  { name: 'green', colors: colorsOf('#ECFDF5', '#064E3B', '#047857', '#FFFFFF') },
  { name: 'sand', colors: colorsOf('#FEF3C7', '#451A03', '#92400E', '#FFFFFF') },
  { name: 'rose', colors: colorsOf('#FFF1F2', '#4C0519', '#BE123C', '#FFFFFF') },
];

/** The form state of a new overlay. */
export function emptyOverlayForm(): OverlayFormState {
  return {
    name: '',
    type: 'message',
    position: 'bottomright',
    colors: colorsOf('#FFFFFF', '#15181E', '#2563EB', '#FFFFFF'),
    content: emptyTexts(),
  };
}

/** The form state of an existing overlay. */
export function formOfOverlay({ name, type, position, colors, content }: OverlayDetails): OverlayFormState {
  const texts = emptyTexts();
  for (const field of textFields) {
    const value = content[field];
    if (typeof value === 'string') texts[field] = value;
  }
  const { answers } = content;
  if (Array.isArray(answers)) texts.answers = answers.map((text, id) => ({ id, text: String(text) }));
  const known = overlayTypes.find((one) => one === type) ?? 'message';
  return { name, type: known, position, colors: { ...colors }, content: texts };
}

/** The request body. Empty answers are omitted. */
export function overlayOf(form: OverlayFormState): NewOverlay {
  return { ...shared(form), ...contentOf(form.type, trimmed(form.content)) };
}

/** The preview request: like the request body, with examples for empty fields and without incomplete URLs. */
export function draftOf(form: OverlayFormState, examples: Examples): OverlayDraft {
  const texts = trimmed(form.content);
  const shown = { ...texts };
  for (const field of exampleFields) if (shown[field] === '') shown[field] = examples[field];
  if (!email.safeParse(shown.email).success) shown.email = examples.email;
  shown.link = pastedAddress(texts.link) ?? '';
  shown.image = pastedAddress(texts.image) ?? '';
  const answers = texts.answers.map(({ text }) => text).filter((text) => text !== '');
  const fill = examples.answers.filter((text) => !answers.includes(text));
  while (answers.length < leastAnswers) answers.push(fill.shift() ?? String(answers.length + 1));
  shown.answers = [...new Set(answers)].slice(0, mostAnswers).map((text, id) => ({ id, text }));
  const { position, colors } = form;
  return { position, colors, ...contentOf(form.type, shown) };
}

/** Validates the form. Returns errors by field name; `say` provides the messages. */
export function checkOverlay(
  form: OverlayFormState,
  say: Readonly<Record<'required' | 'address' | 'email' | 'answers' | 'twice', string>>,
): { name: string; message: string }[] {
  const problems: { name: string; message: string }[] = [];
  const add = (name: string, message: string) => problems.push({ name, message });
  const texts = trimmed(form.content);
  if (form.name.trim() === '') add('name', say.required);
  for (const field of requiredFields[form.type]) {
    if (texts[field] === '') add(`content.${field}`, say.required);
  }
  const addresses = form.type === 'message' ? (['link'] as const) : (['link', 'image'] as const);
  if (form.type === 'message' || form.type === 'image') {
    for (const field of addresses) {
      if (texts[field] !== '' && !pastedAddress(texts[field])) add(`content.${field}`, say.address);
    }
  }
  if (form.type === 'contact' && texts.email !== '' && !email.safeParse(texts.email).success) {
    add('content.email', say.email);
  }
  if (form.type === 'poll') {
    const filled = texts.answers.filter(({ text }) => text !== '');
    if (filled.length < leastAnswers) add('content.answers', say.answers);
    for (const [index, { text }] of texts.answers.entries()) {
      const first = texts.answers.findIndex((answer) => answer.text === text);
      if (text !== '' && first < index) add(`content.answers.${index}`, say.twice);
    }
  }
  return problems;
}

const textFields = [
  'text',
  'label',
  'link',
  'title',
  'button',
  'email',
  'question',
  'code',
  'image',
] as const;
const exampleFields = ['text', 'label', 'title', 'button', 'question', 'code'] as const;

/** Example content for the preview of empty fields. */
export type Examples = Readonly<Record<(typeof exampleFields)[number] | 'email', string>> & {
  readonly answers: readonly string[];
};

const requiredFields: Record<OverlayType, readonly (typeof textFields)[number][]> = {
  message: ['text'],
  contact: ['title', 'button', 'email'],
  newsletter: ['title', 'button'],
  poll: ['question'],
  coupon: ['text', 'code'],
  image: ['image'],
};

function emptyTexts(): OverlayTexts {
  return {
    text: '',
    label: '',
    link: '',
    title: '',
    button: '',
    email: '',
    question: '',
    answers: [0, 1].map((id) => ({ id, text: '' })),
    code: '',
    image: '',
  };
}

function trimmed(texts: OverlayTexts): OverlayTexts {
  const result = { ...texts, answers: texts.answers.map(({ id, text }) => ({ id, text: text.trim() })) };
  for (const field of textFields) result[field] = texts[field].trim();
  return result;
}

function shared({ name, position, colors }: OverlayFormState) {
  return { name: name.trim(), position, colors: { ...colors } };
}

type TypedContent = NewOverlay extends infer One
  ? One extends NewOverlay
    ? Pick<One, 'type' | 'content'>
    : never
  : never;

function contentOf(type: OverlayType, texts: OverlayTexts): TypedContent {
  const address = (text: string) => (text === '' ? null : (pastedAddress(text) ?? text));
  switch (type) {
    case 'message':
      return { type, content: { text: texts.text, label: texts.label || null, link: address(texts.link) } };
    case 'contact':
      return { type, content: { title: texts.title, button: texts.button, email: texts.email } };
    case 'newsletter':
      return { type, content: { title: texts.title, button: texts.button } };
    case 'poll': {
      const answers = texts.answers.map(({ text }) => text).filter((text) => text !== '');
      return { type, content: { question: texts.question, answers } };
    }
    case 'coupon':
      return { type, content: { text: texts.text, code: texts.code } };
    case 'image':
      return { type, content: { image: address(texts.image) ?? '', link: address(texts.link) } };
  }
}

function colorsOf(background: string, text: string, button: string, buttontext: string): OverlayColors {
  return { background, text, button, buttontext };
}
