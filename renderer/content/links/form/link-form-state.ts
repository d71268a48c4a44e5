import type { LinkDetails, NewLink } from '../../../../server/contract/links.ts';
import { deviceNames } from '../../../../server/contract/rules.ts';
import { hostOf } from '../../../ui/addresses.ts';
import { isSame } from '../../../ui/record-changes.ts';
import { countryCodes, countryName } from '../../../visits/stats/country-codes.ts';
import { isBlankRule, type RuleForm, ruleFormsOf, wireRule } from './rule-form.ts';

/** Form state of a link. Every field has a value, so that inputs are always controlled; '' is not set. */
export interface LinkFormState {
  url: string;
  custom: string;
  /** Host of the alias; '' is the instance's own host. */
  domain: string;
  title: string;
  note: string;
  /** How the destination is opened, in API format. */
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
  /** Removes the existing password. */
  openToAll: boolean;
  geotarget: { location: string; link: string }[];
  devicetarget: { device: string; link: string }[];
  languagetarget: { language: string; link: string }[];
  /** Rules that do not fit in the three lists above. */
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

/** The form state of a new link. */
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

/** The form state of a stored link. */
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
 * The request body: all fields that differ from `before`. For a new link, these are the fields that were filled in; for
 * an update, those that were changed, so that two people editing different fields do not overwrite each other.
 */
export function bodyOf(form: LinkFormState, before: LinkFormState): Partial<NewLink> {
  const { url, password, openToAll, deeplink, custom, rules, ...others } = form;
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(others)) {
    if (!isSame(value, before[name as keyof LinkFormState])) body[name] = value === '' ? null : value;
  }
  if (!isSame(rules, before.rules)) {
    body.rules = rules.map(wireRule);
    // `rules` replaces all rules including the targets, so the targets are sent along.
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

/** Removes empty list rows, which are ignored on saving. */
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
    // Drop an end date without a test, and a winner that is no longer a variant.
    testuntil: isTest ? form.testuntil : '',
    testwinner: isTest && isVariant ? form.testwinner : '',
    parameters: form.parameters.filter((row) => row.name || row.value),
  };
}

function pairs(targets: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(targets ?? {});
}

/** Converts `2027-01-31 18:00:00` to the format of date fields. */
function localTimestamp(timestamp: string | null | undefined): string {
  return timestamp ? timestamp.replace(' ', 'T').slice(0, 16) : '';
}

/** The API uses lowercase English country names, the form uses codes. Unknown names are kept as they are. */
function countryOf(name: string): string {
  return countryCodes.find((code) => countryName(code, 'en').toLowerCase() === name.toLowerCase()) ?? name;
}

function deviceOf(name: string): string {
  return deviceNames.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}
