import type { LinkDetails, NewLink } from '../../../../server/contract/links.ts';
import { deviceNames } from '../../../../server/contract/rules.ts';
import { hostOf } from '../../../ui/addresses.ts';
import { isSame } from '../../../ui/record-changes.ts';
import { countryCodes, countryName } from '../../../visits/stats/country-codes.ts';
import { isBlankRule, type RuleForm, ruleFormsOf, wireRule } from './rule-form.ts';

/** What the form holds. Every field has a value, so that inputs are never without one; '' is "not set". */
export interface LinkFormState {
  url: string;
  custom: string;
  /** Host that the alias is on; '' is the instance's own address. */
  domain: string;
  title: string;
  note: string;
  /** How the destination is shown, as the wire says it. */
  type: string;
  channel: number[];
  campaign: number | null;
  pixels: number[];
  /** `YYYY-MM-DDTHH:MM` in the account's time zone. */
  expiry: string;
  notbefore: string;
  clicklimit: number | null;
  expirationredirect: string;
  archiveon: string;
  deleteon: string;
  password: string;
  /** Takes away the password that is set. */
  openToAll: boolean;
  geotarget: { location: string; link: string }[];
  devicetarget: { device: string; link: string }[];
  languagetarget: { language: string; link: string }[];
  /** Rules that are none of the three lists above. */
  rules: RuleForm[];
  abtesting: { url: string; percentage: number }[];
  testuntil: string;
  /** The variant that wins when the test ends; '' is the link's own destination. */
  testwinner: string;
  parameters: { name: string; value: string }[];
  forwardquery: boolean;
  redirect: NonNullable<NewLink['redirect']>;
  metatitle: string;
  metadescription: string;
  metaimage: string;
  deeplink: { auto: boolean; apple: string; google: string };
  locked: boolean;
}

/** A new link before anything was typed. */
export function emptyForm(): LinkFormState {
  return {
    url: '',
    custom: '',
    domain: '',
    title: '',
    note: '',
    type: 'direct',
    channel: [],
    campaign: null,
    pixels: [],
    expiry: '',
    notbefore: '',
    clicklimit: null,
    expirationredirect: '',
    archiveon: '',
    deleteon: '',
    password: '',
    openToAll: false,
    geotarget: [],
    devicetarget: [],
    languagetarget: [],
    rules: [],
    abtesting: [],
    testuntil: '',
    testwinner: '',
    parameters: [],
    forwardquery: false,
    redirect: 302,
    metatitle: '',
    metadescription: '',
    metaimage: '',
    deeplink: { auto: false, apple: '', google: '' },
    locked: false,
  };
}

/** The form of a link as it is on the server. */
export function formOf(link: LinkDetails): LinkFormState {
  return {
    ...emptyForm(),
    url: link.longurl,
    custom: link.alias,
    domain: hostOf(link.domain ?? ''),
    title: link.title ?? '',
    note: link.note ?? '',
    type: link.type ?? 'direct',
    channel: [...(link.channel ?? [])],
    campaign: link.campaign ?? null,
    pixels: [...(link.pixels ?? [])],
    expiry: localTimestamp(link.expiry),
    notbefore: localTimestamp(link.notbefore),
    clicklimit: link.clicklimit ?? null,
    expirationredirect: link.expirationredirect ?? '',
    archiveon: localTimestamp(link.archiveon),
    deleteon: localTimestamp(link.deleteon),
    geotarget: pairs(link.location).map(([name, target]) => ({ location: countryOf(name), link: target })),
    devicetarget: pairs(link.device).map(([name, target]) => ({ device: deviceOf(name), link: target })),
    languagetarget: pairs(link.language).map(([language, target]) => ({ language, link: target })),
    rules: ruleFormsOf(link.rules ?? []),
    abtesting: (link.abtesting ?? []).map((variant) => ({ ...variant })),
    testuntil: localTimestamp(link.testuntil),
    testwinner: link.testwinner ?? '',
    parameters: (link.parameters ?? []).map((parameter) => ({ ...parameter })),
    forwardquery: link.forwardquery ?? false,
    redirect: ([301, 302, 307, 308] as const).find((status) => status === link.redirect) ?? 302,
    metatitle: link.metatitle ?? '',
    metadescription: link.metadescription ?? '',
    metaimage: link.metaimage ?? '',
    deeplink: {
      auto: link.deeplink?.auto ?? false,
      apple: link.deeplink?.apple ?? '',
      google: link.deeplink?.google ?? '',
    },
    locked: link.locked ?? false,
  };
}

/**
 * What is sent: all fields that differ from `before`. For a new link that is what was filled in; for a change it is
 * what was changed, so that two people who edit different fields do not undo each other.
 */
export function bodyOf(form: LinkFormState, before: LinkFormState): Partial<NewLink> {
  const { url, password, openToAll, deeplink, custom, rules, ...others } = form;
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(others)) {
    if (!isSame(value, before[name as keyof LinkFormState])) body[name] = value === '' ? null : value;
  }
  if (!isSame(rules, before.rules)) {
    body.rules = rules.map(wireRule);
    // All rules are replaced, the targets among them: they come right behind.
    const { geotarget, devicetarget, languagetarget } = form;
    Object.assign(body, { geotarget, devicetarget, languagetarget });
  }
  if (url.trim() !== before.url) body.url = url.trim();
  if (custom.trim() !== before.custom && custom.trim() !== '') body.custom = custom.trim();
  if (password !== '') body.password = password;
  else if (openToAll) body.password = null;
  if (!isSame(deeplink, before.deeplink)) {
    const { auto, apple, google } = deeplink;
    body.deeplink =
      auto || apple || google ? { auto, ...(apple && { apple }), ...(google && { google }) } : null;
  }
  return body as Partial<NewLink>;
}

/** Rows of lists that were added and left empty; they say nothing and are taken out before saving. */
export function withoutBlankRows(form: LinkFormState): LinkFormState {
  const abtesting = form.abtesting.filter((row) => row.url);
  const isTest = abtesting.length > 0 && form.testuntil !== '';
  const isVariant = abtesting.some(({ url }) => url === form.testwinner);
  return {
    ...form,
    geotarget: form.geotarget.filter((row) => row.location || row.link),
    devicetarget: form.devicetarget.filter((row) => row.device || row.link),
    languagetarget: form.languagetarget.filter((row) => row.language || row.link),
    rules: form.rules.filter((rule) => !isBlankRule(rule)),
    abtesting,
    // Without a test there is nothing to end, and what is not a variant any more cannot win.
    testuntil: isTest ? form.testuntil : '',
    testwinner: isTest && isVariant ? form.testwinner : '',
    parameters: form.parameters.filter((row) => row.name || row.value),
  };
}

function pairs(targets: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(targets ?? {});
}

/** `2027-01-31 18:00:00` as a field for date and time wants it. */
function localTimestamp(timestamp: string | null | undefined): string {
  return timestamp ? timestamp.replace(' ', 'T').slice(0, 16) : '';
}

/** The wire names countries in lower-case English; the form works with codes. A name that we lack stays a name. */
function countryOf(name: string): string {
  return countryCodes.find((code) => countryName(code, 'en').toLowerCase() === name.toLowerCase()) ?? name;
}

function deviceOf(name: string): string {
  return deviceNames.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}
