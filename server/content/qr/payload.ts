import { coordinates, type StoredContent } from './content.ts';

/**
 * The text of a code that holds its content itself, in the forms that scanners know: vCard 3.0 (RFC 2426), iCalendar
 * (RFC 5545), mailto (RFC 6068), tel (RFC 3966), geo (RFC 5870), and what became usual for Wi-Fi and messages.
 */
export function payloadOf(stored: StoredContent): string {
  switch (stored.type) {
    case 'link':
      return 'url' in stored.content ? stored.content.url : '';
    case 'text':
      return stored.content.text;
    case 'phone':
      return `tel:${dialled(stored.content.phone)}`;
    case 'sms':
      return `SMSTO:${dialled(stored.content.phone)}:${stored.content.message ?? ''}`;
    case 'email':
      return mailto(stored.content);
    case 'geo':
      return geoUri(stored.content);
    case 'wifi': {
      const { ssid, encryption, password, hidden } = stored.content;
      const secret = encryption === 'nopass' ? '' : `P:${wifiEscaped(password ?? '')};`;
      return `WIFI:T:${encryption};S:${wifiEscaped(ssid)};${secret}${hidden ? 'H:true;' : ''};`;
    }
    case 'vcard':
      return vcard(stored.content);
    case 'event':
      return calendar(stored.content, undefined);
  }
}

/** A number as phones dial it. */
export function dialled(phone: string): string {
  return phone.replace(/[^\d+]/g, '');
}

export function mailto({
  email,
  subject,
  message,
}: Extract<StoredContent, { type: 'email' }>['content']): string {
  const parameters = [
    subject && `subject=${encodeURIComponent(subject)}`,
    message && `body=${encodeURIComponent(message.replace(/\n/g, '\r\n'))}`,
  ].filter(Boolean);
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

export function geoUri(stored: Extract<StoredContent, { type: 'geo' }>['content']): string {
  const { label } = stored;
  const place = coordinates(stored, ',');
  return `geo:${place}${label ? `?q=${place}(${encodeURIComponent(label)})` : ''}`;
}

export function vcard(card: Extract<StoredContent, { type: 'vcard' }>['content']): string {
  const { firstname, lastname, organization, title, phone, mobile, email, website, note } = card;
  const address = [card.street, card.city, card.region, card.zip, card.country];
  const name = [firstname, lastname].filter(Boolean).join(' ') || organization || '';
  return lines([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(lastname)};${escaped(firstname)};;;`,
    `FN:${escaped(name)}`,
    organization && `ORG:${escaped(organization)}`,
    title && `TITLE:${escaped(title)}`,
    phone && `TEL;TYPE=WORK,VOICE:${dialled(phone)}`,
    mobile && `TEL;TYPE=CELL:${dialled(mobile)}`,
    email && `EMAIL:${escaped(email)}`,
    website && `URL:${escaped(website)}`,
    address.some(Boolean) && `ADR;TYPE=WORK:;;${address.map(escaped).join(';')}`,
    note && `NOTE:${escaped(note)}`,
    'END:VCARD',
  ]);
}

/** One event; `stamp` (UTC milliseconds) and an id belong into files, and make a code larger for nothing. */
export function calendar(
  event: Extract<StoredContent, { type: 'event' }>['content'],
  file: { stamp: number; uid: string } | undefined,
): string {
  const { title, start, end, location, description } = event;
  return lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    file && 'PRODID:-//Waypost//QR//EN',
    'BEGIN:VEVENT',
    file && `UID:${file.uid}`,
    file && `DTSTAMP:${utc(file.stamp)}`,
    `SUMMARY:${escaped(title)}`,
    dated('DTSTART', start),
    end !== null && dated('DTEND', typeof end === 'string' ? dayAfter(end) : end),
    location && `LOCATION:${escaped(location)}`,
    description && `DESCRIPTION:${escaped(description)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
}

function dated(name: string, timestamp: number | string): string {
  return typeof timestamp === 'string'
    ? `${name};VALUE=DATE:${timestamp.replaceAll('-', '')}`
    : `${name}:${utc(timestamp)}`;
}

/** The last day of an event is the first one that it does not take (RFC 5545, 3.6.1). */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function lines(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\r\n');
}

function escaped(text: string | null | undefined): string {
  return (text ?? '').replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
}

function wifiEscaped(text: string): string {
  return text.replace(/[\\;,":]/g, '\\$&');
}
