import type { QrCode, QrDetails } from '../../contract/qr.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { presentContent, summaryOf } from './content.ts';
import type { ListedQr, QrRow } from './queries.ts';
import { contentOf, encodedText, linkAddress, publicAddress, styleOf } from './record.ts';

interface PresentContext {
  timezone: string;
  baseUrl: string;
}

/** A code in a list (decision 0017). */
export function presentQr(row: ListedQr, { timezone, baseUrl }: PresentContext): QrCode {
  return {
    id: row.id,
    link: publicAddress(row, baseUrl),
    scans: row.scans,
    name: row.name,
    date: presentTimestamp(row.created_at, timezone),
    type: row.type,
    dynamic: row.dynamic === 1,
    target: row.link_id === null ? summaryOf(contentOf(row)) : (linkAddress(row, baseUrl) ?? ''),
    revision: row.revision,
  };
}

/** A code with everything that can be set on it. */
export function presentQrDetails(
  row: QrRow,
  days: readonly { day: number; scans: number }[],
  context: PresentContext,
): QrDetails {
  const { timezone, baseUrl } = context;
  return {
    ...presentQr(row, context),
    alias: row.alias,
    domain: row.host === null ? baseUrl : `https://${row.host}`,
    data: presentData(row, context),
    encoded: encodedText(row, baseUrl),
    lastscan: presentOptional(row.scanned_at, timezone),
    days: days.map(({ day, scans }) => ({
      date: new Date(day * 86_400_000).toISOString().slice(0, 10),
      scans,
    })),
    ...styleOf(row),
    logo: presentLogo(row),
  };
}

/** The logo's URL; for an uploaded one, a `data:` URL of the stored picture. */
export function presentLogo({ logo, logo_image }: Pick<QrRow, 'logo' | 'logo_image'>): string | null {
  if (logo !== 'data:') return logo;
  return logo_image && `data:image/png;base64,${logo_image.toString('base64')}`;
}

function presentData(row: QrRow, { timezone, baseUrl }: PresentContext): Record<string, unknown> {
  const content = contentOf(row);
  if (content.type !== 'link') return presentContent(content, timezone);
  if (row.link_id === null) return { url: summaryOf(content) || null, link: null };
  return { url: linkAddress(row, baseUrl) ?? null, link: row.link_alias === null ? null : row.link_id };
}
