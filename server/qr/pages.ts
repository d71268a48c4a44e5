import { contentPolicy, page } from '../redirects/pages/layout.ts';
import { html, type Markup } from '../redirects/pages/markup.ts';
import type { Page } from '../redirects/pages/pages.ts';
import type { PageTexts } from '../redirects/pages/texts.ts';
import { type StoredContent, summaryOf } from './content.ts';
import { dialled, geoUri, mailto } from './payload.ts';
import type { QrRow } from './queries.ts';
import { contentOf } from './record.ts';

/** The texts of a code's page; one entry a language. */
const english = {
  text: 'Text',
  vcard: { title: 'Contact', save: 'Save this contact' },
  email: { title: 'Write an e-mail', to: 'To', subject: 'Subject', message: 'Message', go: 'Write' },
  phone: { title: 'Call', number: 'Number', go: 'Call' },
  sms: { title: 'Send a message', go: 'Write' },
  wifi: {
    title: 'Join the Wi-Fi network',
    network: 'Network',
    password: 'Password',
    security: 'Security',
    open: 'none',
  },
  event: { title: 'Event', starts: 'Begins', ends: 'Ends', where: 'Where', save: 'Add to the calendar' },
  geo: { title: 'Place', coordinates: 'Coordinates', go: 'Show on a map' },
  link: { title: 'Where this code leads', destination: 'Destination', go: 'Continue' },
  fields: {
    organization: 'Organisation',
    title: 'Position',
    phone: 'Telephone',
    mobile: 'Mobile',
    email: 'E-mail',
    website: 'Website',
    address: 'Address',
    note: 'Note',
  },
};

// A page may hand a number, an address or a place to the program that the visitor has for it, and nothing else.
const policy = `${contentPolicy({ downloads: true })} allow-top-navigation-to-custom-protocols allow-popups`;

/** What a code holds, for visitors of its address. */
export function contentPage(texts: PageTexts, stored: StoredContent, alias: string): Page {
  const { title, body } = partsOf(stored, alias);
  return { status: 200, policy, body: page(inEnglish(texts), title, body) };
}

/** Where a code leads, without going there (`/qr/<alias>+`). */
export function destinationPage(texts: PageTexts, row: QrRow): Page {
  const { title, destination, go } = english.link;
  const body = html`${facts([[destination, summaryOf(contentOf(row))]])}
<a class="action" rel="nofollow noreferrer" href="/qr/${encodeURIComponent(row.alias)}">${go}</a>`;
  return { status: 200, policy: contentPolicy(), body: page(inEnglish(texts), title, body) };
}

/** The texts of a page say what language it is in; these are in one. */
function inEnglish(texts: PageTexts): PageTexts {
  return { ...texts, language: 'en', direction: 'ltr' };
}

function partsOf(stored: StoredContent, alias: string): { title: string; body: Markup } {
  const own = `/qr/${encodeURIComponent(alias)}`;
  switch (stored.type) {
    case 'link':
      return {
        title: english.link.title,
        body: html`${facts([[english.link.destination, summaryOf(stored)]])}`,
      };
    case 'text':
      return { title: english.text, body: paragraphs(stored.content.text) };
    case 'phone': {
      const { phone } = stored.content;
      const { title, number, go } = english.phone;
      return { title, body: html`${facts([[number, phone]])}${action(`tel:${dialled(phone)}`, go)}` };
    }
    case 'sms': {
      const { phone, message } = stored.content;
      const { title, go } = english.sms;
      const way = `sms:${dialled(phone)}${message ? `?body=${encodeURIComponent(message)}` : ''}`;
      return {
        title,
        body: html`${facts([
          [english.phone.number, phone],
          [english.email.message, message],
        ])}${action(way, go)}`,
      };
    }
    case 'email': {
      const { email, subject, message } = stored.content;
      const names = english.email;
      return {
        title: names.title,
        body: html`${facts([
          [names.to, email],
          [names.subject, subject],
          [names.message, message],
        ])}${action(mailto(stored.content), names.go)}`,
      };
    }
    case 'geo': {
      const { latitude, longitude, label } = stored.content;
      const { title, coordinates, go } = english.geo;
      return {
        title: label || title,
        body: html`${facts([[coordinates, `${latitude}, ${longitude}`]])}${action(geoUri(stored.content), go)}`,
      };
    }
    case 'wifi': {
      const { ssid, encryption, password } = stored.content;
      const names = english.wifi;
      return {
        title: names.title,
        body: facts([
          [names.network, ssid],
          [names.password, encryption === 'nopass' ? null : password],
          [names.security, encryption === 'nopass' ? names.open : encryption],
        ]),
      };
    }
    case 'vcard':
      return contact(stored.content, own);
    case 'event': {
      const { title, start, end, location, description } = stored.content;
      const names = english.event;
      return {
        title,
        body: html`${facts([
          [names.starts, momentText(start)],
          [names.ends, end === null ? null : momentText(end)],
          [names.where, location],
        ])}${description && paragraphs(description)}${action(`${own}.ics`, names.save)}`,
      };
    }
  }
}

function contact(card: Extract<StoredContent, { type: 'vcard' }>['content'], own: string) {
  const names = english.fields;
  const name = [card.firstname, card.lastname].filter(Boolean).join(' ');
  const place = [card.street, [card.zip, card.city].filter(Boolean).join(' '), card.region, card.country];
  return {
    title: name || card.organization || english.vcard.title,
    body: html`${facts([
      [names.organization, name ? card.organization : null],
      [names.title, card.title],
      [names.phone, card.phone],
      [names.mobile, card.mobile],
      [names.email, card.email],
      [names.website, card.website],
      [names.address, place.filter(Boolean).join(', ')],
      [names.note, card.note],
    ])}${action(`${own}.vcf`, english.vcard.save)}`,
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

/** A moment in UTC, said so: whoever scans the code may be anywhere. */
function momentText(moment: number | string): string {
  if (typeof moment === 'string') return moment;
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
