import { commonTypes } from '../../../server/contract/link-settings.ts';
import { type LinkDetails, type NewLink, redirectStatuses } from '../../../server/contract/links.ts';
import type { RowNote } from './rows.ts';
import { shiftRules, shiftTimestamp } from './timestamp-shift.ts';

/**
 * The request body to create the same link elsewhere, without alias, domain, campaign and channels. Also omits what
 * cannot be transferred: passwords are stored as hashes, and the ids of pixels, overlays and splash pages are
 * meaningless elsewhere.
 */
export function linkDraft(link: LinkDetails, from: string, to: string): { draft: NewLink; notes: RowNote[] } {
  const notes = new Set<RowNote>();
  const timestamp = (text: string | null | undefined): string | undefined => {
    if (!text) return undefined;
    const shifted = shiftTimestamp(text, from, to);
    if (!shifted.isExact) notes.add('times');
    return shifted.text;
  };
  const type = link.type ?? 'direct';
  if (link.protected) notes.add('password');
  if (link.pixels?.length) notes.add('pixels');
  if (!commonTypes.includes(type)) notes.add('display');
  const shifted = link.rules && shiftRules(link.rules, from, to);
  if (shifted && !shifted.isExact) notes.add('times');

  const { auto, apple, google } = link.deeplink ?? {};
  const draft = {
    url: link.longurl,
    // Always included, because the other account may have a different default.
    type: commonTypes.includes(type) ? type : 'direct',
    title: link.title,
    description: link.description,
    note: link.note,
    status: link.status === 'private' ? ('private' as const) : ('public' as const),
    expiry: timestamp(link.expiry),
    notbefore: timestamp(link.notbefore),
    archiveon: timestamp(link.archiveon),
    deleteon: timestamp(link.deleteon),
    clicklimit: link.clicklimit,
    expirationredirect: link.expirationredirect,
    // Targets are rules with one condition: if the server sends rules, these include the targets.
    rules: shifted?.rules,
    ...(!link.rules && targetsOf(link)),
    abtesting: link.abtesting,
    testuntil: timestamp(link.testuntil),
    testwinner: link.testwinner,
    parameters: link.parameters,
    deeplink:
      auto || apple || google
        ? { ...(auto && { auto }), ...(apple && { apple }), ...(google && { google }) }
        : null,
    metatitle: link.metatitle,
    metadescription: link.metadescription,
    metaimage: link.metaimage,
    redirect: redirectStatuses.find((status) => status === link.redirect),
    forwardquery: link.forwardquery,
    archived: link.archived,
    locked: link.locked,
  };
  return { draft: withoutEmpty(draft), notes: [...notes] };
}

function targetsOf(link: LinkDetails): Partial<NewLink> {
  return {
    geotarget: Object.entries(link.location ?? {}).map(([location, to]) => ({ location, link: to })),
    devicetarget: Object.entries(link.device ?? {}).map(([device, to]) => ({ device, link: to })),
    languagetarget: Object.entries(link.language ?? {}).map(([language, to]) => ({ language, link: to })),
  };
}

/** Omits fields that are not set. */
function withoutEmpty<Fields extends { url: string }>(fields: Fields): NewLink {
  const set = Object.entries<unknown>(fields).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { ...Object.fromEntries<unknown>(set), url: fields.url } as NewLink;
}
