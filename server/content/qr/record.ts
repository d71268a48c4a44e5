import type { QrStyle } from '../../contract/qr.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { type StoredContent, summaryOf } from './content.ts';
import { usualStyle } from './design.ts';
import { payloadOf } from './payload.ts';
import type { QrRow } from './queries.ts';

/** The columns that determine a code's text. */
export type Encodable = Pick<
  QrRow,
  'alias' | 'host' | 'type' | 'data' | 'dynamic' | 'link_id' | 'link_alias' | 'link_host'
>;

/** The address of a code: what its symbol leads to when it is dynamic, and where its pictures are. */
export function publicAddress({ alias, host }: Pick<QrRow, 'alias' | 'host'>, baseUrl: string): string {
  return `${host === null ? baseUrl : `https://${host}`}/qr/${encodeURIComponent(alias)}`;
}

/** The short URL of the link that a code leads to; undefined when that is gone. */
export function linkAddress(
  { link_alias, link_host }: Pick<QrRow, 'link_alias' | 'link_host'>,
  baseUrl: string,
): string | undefined {
  return link_alias === null ? undefined : shortUrl({ alias: link_alias, host: link_host }, baseUrl);
}

/** The content of a row; a damaged one is that of a code that leads nowhere. */
export function contentOf({ type, data }: Pick<QrRow, 'type' | 'data'>): StoredContent {
  const stored = { type, content: storedObject(data) ?? {} } as StoredContent;
  try {
    summaryOf(stored);
    payloadOf(stored);
    return stored;
  } catch {
    return { type: 'link', content: {} } as StoredContent;
  }
}

/** The design of a row. */
export const styleOf = ({ style }: Pick<QrRow, 'style'>): QrStyle => ({
  ...usualStyle,
  ...storedObject<QrStyle>(style),
});

/** What a scanner reads: the code's own address, or the content itself. */
export function encodedText(row: Encodable, baseUrl: string): string {
  if (row.dynamic === 1) return publicAddress(row, baseUrl);
  if (row.link_id !== null) return linkAddress(row, baseUrl) ?? publicAddress(row, baseUrl);
  return payloadOf(contentOf(row)) || publicAddress(row, baseUrl);
}
