import { z } from 'zod';
import { type QrContent, type QrType, qrContents } from '../../contract/qr-content.ts';
import { rejected } from '../../platform/errors.ts';
import { parseWith } from '../../platform/http/input.ts';
import { parseTimestamp, presentTimestamp } from '../../platform/http/timestamps.ts';

type Sent<Type extends QrType> = Extract<QrContent, { type: Type }>['content'];

/** An event with moments: UTC milliseconds, or `YYYY-MM-DD` where it lasts whole days. */
interface StoredEvent extends Omit<Sent<'event'>, 'start' | 'end'> {
  start: number | string;
  end: number | string | null;
}

/** The stored content of a code. For a link it is a URL; one's own links have their own column. */
export type StoredContent =
  | { type: 'link'; content: { url: string } | Record<string, never> }
  | { type: 'event'; content: StoredEvent }
  | Exclude<QrContent, { type: 'link' | 'event' }>;

/** Validates `data` by type. Throws 400 that names the field. */
export function readContent(type: QrType, data: unknown): QrContent {
  const { data: content } = parseWith(z.object({ data: qrContents[type] }), { data });
  // The schema is the one of that type.
  return { type, content } as QrContent;
}

/** An event with its moments in UTC. Throws 400 for days that do not exist and events that end before they begin. */
export function readEvent(event: Sent<'event'>, timezone: string): StoredEvent {
  const wholeDays = /^\d{4}-\d\d-\d\d$/.test(event.start);
  const read = (text: string, field: string) => {
    const at = parseTimestamp(text, timezone, 'start', field);
    return wholeDays ? text.slice(0, 10) : at;
  };
  const start = read(event.start, 'data.start');
  const end = event.end ? read(event.end, 'data.end') : null;
  if (end !== null && end < start) {
    throw rejected('invalid_date', 'data.end', 'The event ends before it begins.');
  }
  return { ...event, start, end };
}

/** Content as it goes over the wire. */
export function presentContent(stored: StoredContent, timezone: string): Record<string, unknown> {
  if (stored.type !== 'event') return { ...stored.content };
  const present = (at: number | string | null) =>
    typeof at === 'number' ? presentTimestamp(at, timezone) : at;
  const { start, end } = stored.content;
  return { ...stored.content, start: present(start), end: present(end) };
}

/** The content of a code in one line. */
export function summaryOf(stored: StoredContent): string {
  switch (stored.type) {
    case 'link':
      return 'url' in stored.content ? stored.content.url : '';
    case 'text':
      return stored.content.text.replace(/\s+/g, ' ').slice(0, 200);
    case 'vcard': {
      const { firstname, lastname, organization } = stored.content;
      return [[firstname, lastname].filter(Boolean).join(' '), organization].filter(Boolean).join(', ');
    }
    case 'email':
      return stored.content.email;
    case 'phone':
    case 'sms':
      return stored.content.phone;
    case 'wifi':
      return stored.content.ssid;
    case 'event':
      return stored.content.title;
    case 'geo':
      return stored.content.label || coordinates(stored.content, ', ');
  }
}

/** Latitude and longitude as plain decimals: `geo` addresses know no exponents (RFC 5870, section 3.3). */
export function coordinates(place: { latitude: number; longitude: number }, separator: string): string {
  return [place.latitude, place.longitude].map(decimal).join(separator);
}

function decimal(degrees: number): string {
  const text = String(degrees);
  if (!text.includes('e')) return text;
  const digits = degrees.toFixed(20).replace(/\.?0+$/, '');
  return digits === '-0' ? '0' : digits;
}
