import type { StoredBlock } from './bio-blocks.ts';

/** A contact as a vCard 3.0 (RFC 2426), which every address book reads. */
export function vcardText(card: Extract<StoredBlock, { type: 'vcard' }>): string {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${structuredName(card.name)}`,
    `FN:${escaped(card.name)}`,
    card.organization && `ORG:${escaped(card.organization)}`,
    card.role && `TITLE:${escaped(card.role)}`,
    card.email && `EMAIL;TYPE=INTERNET:${escaped(card.email)}`,
    card.phone && `TEL;TYPE=VOICE:${escaped(card.phone)}`,
    card.website && `URL:${escaped(card.website)}`,
    card.address && `ADR:;;${escaped(card.address)};;;;`,
    card.note && `NOTE:${escaped(card.note)}`,
    'END:VCARD',
  ];
  return lines.flatMap((line) => (line ? [folded(line), '\r\n'] : [])).join('');
}

/** Family name and the rest; a single word is taken as the given name. */
function structuredName(name: string): string {
  const words = name.split(' ').filter(Boolean);
  const family = words.length > 1 ? (words.at(-1) ?? '') : '';
  const given = words.length > 1 ? words.slice(0, -1).join(' ') : name;
  return `${escaped(family)};${escaped(given)};;;`;
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r?\n/g, '\\n');
}

/** Lines of at most 75 bytes; continuation lines begin with a space. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
