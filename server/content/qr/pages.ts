import { html, type Markup } from '../../platform/text/markup.ts';
import { contentPolicy, page } from '../../visits/redirects/pages/layout.ts';
import type { PageTexts } from '../../visits/redirects/pages/page-texts.ts';
import type { Page } from '../../visits/redirects/pages/pages.ts';
import { coordinates, type StoredContent, summaryOf } from './content.ts';
import { dialled, geoUri, mailto } from './payload.ts';
import type { QrRow } from './queries.ts';
import { contentOf } from './record.ts';

// A page may hand a number, an address or a place to the program that the visitor has for it, and nothing else.
const policy = `${contentPolicy({ downloads: true })} allow-top-navigation-to-custom-protocols allow-popups`;

/** The content of a code, for visitors of its URL. */
export function contentPage(texts: PageTexts, stored: StoredContent, alias: string): Page {
  const { title, body } = partsOf(texts.qr, stored, alias);
  return { status: 200, policy, body: page(texts, title, body) };
}

/** Where a code leads, without going there (`/qr/<alias>+`). */
export function destinationPage(texts: PageTexts, row: QrRow): Page {
  const { leads, destination, go } = texts.qr;
  const body = html`${facts([[destination, summaryOf(contentOf(row))]])}
<a class="action" rel="nofollow noreferrer" href="/qr/${encodeURIComponent(row.alias)}">${go}</a>`;
  return { status: 200, policy: contentPolicy(), body: page(texts, leads, body) };
}

function partsOf(
  texts: PageTexts['qr'],
  stored: StoredContent,
  alias: string,
): { title: string; body: Markup } {
  const own = `/qr/${encodeURIComponent(alias)}`;
  switch (stored.type) {
    case 'link':
      return {
        title: texts.leads,
        body: html`${facts([[texts.destination, summaryOf(stored)]])}`,
      };
    case 'text':
      return { title: texts.text, body: paragraphs(stored.content.text) };
    case 'phone': {
      const { phone } = stored.content;
      const way = action(`tel:${dialled(phone)}`, texts.callNow);
      return { title: texts.call, body: html`${facts([[texts.number, phone]])}${way}` };
    }
    case 'sms': {
      const { phone, message } = stored.content;
      const way = `sms:${dialled(phone)}${message ? `?body=${encodeURIComponent(message)}` : ''}`;
      return {
        title: texts.sms,
        body: html`${facts([
          [texts.number, phone],
          [texts.message, message],
        ])}${action(way, texts.writeNow)}`,
      };
    }
    case 'email': {
      const { email, subject, message } = stored.content;
      return {
        title: texts.write,
        body: html`${facts([
          [texts.to, email],
          [texts.subject, subject],
          [texts.message, message],
        ])}${action(mailto(stored.content), texts.writeNow)}`,
      };
    }
    case 'geo': {
      return {
        title: stored.content.label || texts.place,
        body: html`${facts([[texts.coordinates, coordinates(stored.content, ', ')]])}${action(geoUri(stored.content), texts.map)}`,
      };
    }
    case 'wifi': {
      const { ssid, encryption, password } = stored.content;
      return {
        title: texts.wifi,
        body: facts([
          [texts.network, ssid],
          [texts.password, encryption === 'nopass' ? null : password],
          [texts.security, encryption === 'nopass' ? texts.open : encryption],
        ]),
      };
    }
    case 'vcard':
      return contact(texts, stored.content, own);
    case 'event': {
      const { title, start, end, location, description } = stored.content;
      return {
        title,
        body: html`${facts([
          [texts.starts, timestampText(start)],
          [texts.ends, end === null ? null : timestampText(end)],
          [texts.where, location],
        ])}${description && paragraphs(description)}${action(`${own}.ics`, texts.saveEvent)}`,
      };
    }
  }
}

function contact(
  texts: PageTexts['qr'],
  card: Extract<StoredContent, { type: 'vcard' }>['content'],
  own: string,
) {
  const name = [card.firstname, card.lastname].filter(Boolean).join(' ');
  const place = [card.street, [card.zip, card.city].filter(Boolean).join(' '), card.region, card.country];
  return {
    title: name || card.organization || texts.contact,
    body: html`${facts([
      [texts.organization, name ? card.organization : null],
      [texts.position, card.title],
      [texts.phone, card.phone],
      [texts.mobile, card.mobile],
      [texts.email, card.email],
      [texts.website, card.website],
      [texts.address, place.filter(Boolean).join(', ')],
      [texts.note, card.note],
    ])}${action(`${own}.vcf`, texts.saveContact)}`,
  };
}

/** Names and values; what has no value is left out. */
function facts(rows: readonly (readonly [name: string, value: string | null | undefined])[]): Markup {
  const shown = rows.filter(([, value]) => value);
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl>`;
}

function paragraphs(text: string): Markup {
  return html`${text.split('\n').map((line) => html`<p dir="auto">${line}</p>`)}`;
}

function action(address: string, label: string): Markup {
  return html`<a class="action" rel="nofollow noreferrer" href="${address}">${label}</a>`;
}

/** A time labeled as UTC, because the code may be scanned anywhere. */
function timestampText(timestamp: number | string): string {
  if (typeof timestamp === 'string') return timestamp;
  return `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
