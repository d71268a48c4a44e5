import { calendar, vcard } from './payload.ts';
import type { QrRow } from './queries.ts';
import { contentOf } from './record.ts';

/** The files that a code's page offers. */
export interface ContentFile {
  type: string;
  name: string;
  text: string;
}

/** The contact (`vcf`) or the event (`ics`) of a code as a file; undefined for every other content. */
export function contentFile(row: QrRow, ending: string): ContentFile | undefined {
  const stored = contentOf(row);
  const name = `${row.name.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim() || row.alias}.${ending}`;
  if (stored.type === 'vcard' && ending === 'vcf') {
    return { type: 'text/vcard', name, text: `${vcard(stored.content)}\r\n` };
  }
  if (stored.type === 'event' && ending === 'ics') {
    const file = { stamp: row.created_at, uid: `qr-${row.id}-${row.created_at}@waypost` };
    return { type: 'text/calendar', name, text: `${calendar(stored.content, file)}\r\n` };
  }
  return undefined;
}
