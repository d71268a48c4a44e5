import type { QrChange, QrStyle } from '../../contract/qr.ts';
import type { QrType } from '../../contract/qr-content.ts';
import { planRequired, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { readAlias } from '../links/aliases.ts';
import { readContent, readEvent, type StoredContent, summaryOf } from './content.ts';
import { usualStyle } from './design.ts';
import type { QrRecord } from './queries.ts';
import { contentOf, styleOf } from './record.ts';

interface Context {
  account: Account;
  domainOf: (reference: number | string, userId: number) => number | null;
  /** Reads where a link leads: to an address, or to one of the account's links. Throws 400. */
  linkOf: (data: { url: string } | { link: number }, account: Account) => LinkTarget;
  /** What one of the account's links is called; undefined when it is gone. */
  linkNameOf: (linkId: number) => string | undefined;
}

export interface LinkTarget {
  content: { url: string } | Record<string, never>;
  link_id: number | null;
}

/** A code before anything is set on it. */
export const emptyQr: QrRecord = {
  alias: '',
  domain_id: null,
  name: '',
  type: 'link',
  data: '{}',
  link_id: null,
  dynamic: 0,
  style: JSON.stringify(usualStyle),
  logo: null,
  logo_image: null,
  search: '',
};

/** What follows a code's address to ask for a rendering of it. */
const addressEndings = /\.(png|jpe?g|svg|pdf|vcf|ics)$/i;

/**
 * Applies what a client sent to a record, all but the logo's picture. Gates of the plan come before every look-up
 * (decision 0004). Throws 400 with the field at fault, or 403 `plan_required`.
 */
export function applyQrChange(change: QrChange, record: QrRecord, context: Context): QrRecord {
  const { account } = context;
  const { permissions } = account.plan;
  const before = styleOf(record);
  if (change.logo && !permissions.qrlogo) throw planRequired('qrlogo');
  if (change.frame && change.frame !== 'none' && change.frame !== before.frame && !permissions.qrframes) {
    throw planRequired('qrframes');
  }
  if (change.custom && change.custom !== record.alias && !permissions.alias) throw planRequired('alias');

  const next = { ...record, style: JSON.stringify(changedStyle(before, change)) };
  const isNew = record.alias === '';
  if (isNew || change.data !== undefined || (change.type !== undefined && change.type !== record.type)) {
    const type = change.type ?? record.type;
    const { content, link_id } = readData(type, change.data, context);
    next.type = type;
    next.data = JSON.stringify(content);
    next.link_id = link_id;
    if (isNew || type !== record.type) next.dynamic = type === 'link' ? 1 : 0;
    // A name that nobody chose follows the content.
    if (isNew || record.name === usualName(record, context)) next.name = usualName(next, context);
  }
  if (change.dynamic !== undefined) next.dynamic = change.dynamic ? 1 : 0;
  if (change.name !== undefined) next.name = change.name || usualName(next, context);
  if (change.custom && change.custom !== next.alias) next.alias = readQrAlias(change.custom);
  if (change.domain !== undefined) {
    next.domain_id = change.domain ? context.domainOf(change.domain, account.user.id) : null;
  }
  next.search = caseFold(`${next.name}\n${summaryOf(contentOf(next))}`);
  return next;
}

function readData(
  type: QrType,
  data: unknown,
  { account, linkOf }: Context,
): { content: StoredContent['content']; link_id: number | null } {
  const read = readContent(type, data);
  if (read.type === 'link') return linkOf(read.content, account);
  const content = read.type === 'event' ? readEvent(read.content, account.user.timezone) : read.content;
  return { content, link_id: null };
}

/** The default name of a code: its link's, or its content. */
function usualName(record: QrRecord, { linkNameOf }: Context): string {
  if (record.link_id !== null) return cut(linkNameOf(record.link_id) ?? record.alias);
  const stored = contentOf(record);
  if (stored.type !== 'link' || !('url' in stored.content)) return cut(summaryOf(stored));
  const { host, pathname } = new URL(stored.content.url);
  return cut(host + (pathname === '/' ? '' : pathname));
}

function changedStyle(before: QrStyle, change: QrChange): QrStyle {
  const sent = Object.keys(usualStyle)
    .filter((name) => change[name as keyof QrStyle] !== undefined)
    .map((name) => [name, change[name as keyof QrStyle]]);
  return { ...before, ...(Object.fromEntries(sent) as Partial<QrStyle>) };
}

function readQrAlias(text: string): string {
  const alias = readAlias(text, 'custom');
  if (addressEndings.test(alias)) {
    throw rejected('invalid_alias', 'custom', 'An alias cannot end with an image extension.');
  }
  return alias;
}

function cut(name: string): string {
  return [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 120).join('').trim();
}
