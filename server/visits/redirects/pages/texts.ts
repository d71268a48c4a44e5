import type { Brand } from './brand.ts';
import { arabic } from './languages/arabic.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { portuguese } from './languages/portuguese.ts';
import { spanish } from './languages/spanish.ts';
import type { PageTexts } from './page-texts.ts';

const english: PageTexts = {
  language: 'en',
  direction: 'ltr',
  notFound: {
    title: 'There is no link here',
    text: 'Check the address for typing mistakes, or ask the person who sent it to you.',
  },
  unknownHost: {
    title: 'This address is not in use',
    text: 'The name that you followed points to this server, but nothing was set up for it here.',
  },
  gone: { title: 'This link was switched off', text: 'Its owner has taken it out of use.' },
  expired: {
    title: 'This link has expired',
    text: 'It was only meant for a certain time or number of visits.',
  },
  early: { title: 'This link is not open yet', text: 'It starts later. Come back in a while.' },
  unsafe: {
    title: 'This link leads nowhere',
    text: 'Its destination is not an address that a browser can safely open.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: 'Many addresses that do not exist were tried from your network. Wait a minute and try again.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'This link cannot be opened right now. Try again in a minute.',
  },
  badMethod: { title: 'This is a link', text: 'It can only be opened, not written to.' },
  failed: { title: 'Something went wrong here', text: 'It is our fault, not yours. Try again in a minute.' },
  tooLarge: { title: 'That was too much', text: 'The form sent more than a password.' },
  landing: {
    title: 'Short links live here',
    text: 'This server opens the short links of its owner. Add the part after the slash to get somewhere.',
    signIn: 'Sign in',
  },
  password: {
    title: 'This link is protected',
    text: 'Enter the password that came with it.',
    label: 'Password',
    submit: 'Open the link',
    wrong: 'That password is not right. Try again.',
    tooMany: 'Too many wrong passwords. Wait a quarter of an hour and try again.',
  },
  preview: {
    title: 'Where this link leads',
    text: 'Looking here does not count as a visit.',
    destination: 'Destination',
    hidden: 'The destination is shown after the password is entered.',
    depends: 'It may differ by place, device, language or time.',
    go: 'Open the link',
  },
  card: { title: 'A short link', go: 'Open the link' },
  bio: {
    watch: 'Watch the video',
    download: 'Download',
    saveContact: 'Save contact',
    name: 'Your name',
    email: 'Your e-mail address',
    message: 'Your message',
    send: 'Send',
    thanks: { title: 'Thank you', text: 'Your message has arrived.' },
    refused: { title: 'That did not work', text: 'Go back, fill in every field and send it again.' },
    back: 'Back to the page',
  },
  list: { by: 'Links by {owner}', empty: 'There are no links here yet.' },
  profile: { lists: 'Lists of links', empty: 'There are no lists here yet.' },
  frame: { direct: 'Open directly', close: 'Close or open', more: 'Learn more', email: 'E-mail address' },
  splash: {
    title: 'You are being taken further',
    moment: 'One moment, please',
    product: 'See what this is about',
    leads: 'This link leads to {host}',
    go: 'Continue',
  },
  thanks: {
    taken: { title: 'Thank you', text: 'It has arrived.' },
    refused: { title: 'That did not work', text: 'Go back, check what you entered and send it again.' },
    back: 'Back to the page',
  },
  qr: {
    text: 'Text',
    contact: 'Contact',
    saveContact: 'Save this contact',
    write: 'Write an e-mail',
    to: 'To',
    subject: 'Subject',
    message: 'Message',
    writeNow: 'Write',
    call: 'Call',
    number: 'Number',
    callNow: 'Call',
    sms: 'Send a message',
    wifi: 'Join the Wi-Fi network',
    network: 'Network',
    password: 'Password',
    security: 'Security',
    open: 'none',
    starts: 'Begins',
    ends: 'Ends',
    where: 'Where',
    saveEvent: 'Add to the calendar',
    place: 'Place',
    coordinates: 'Coordinates',
    map: 'Show on a map',
    leads: 'Where this code leads',
    destination: 'Destination',
    go: 'Continue',
    organization: 'Organisation',
    position: 'Position',
    phone: 'Telephone',
    mobile: 'Mobile',
    email: 'E-mail',
    website: 'Website',
    address: 'Address',
    note: 'Note',
  },
  file: {
    expired: {
      title: 'This file is no longer available',
      text: 'It was only meant for a certain time or number of downloads. Ask the person who sent it to you.',
    },
    badMethod: { title: 'This is a file', text: 'It can only be downloaded, not written to.' },
    unavailable: {
      title: 'One moment, please',
      text: 'This file cannot be downloaded right now. Try again in a minute.',
    },
    password: {
      title: 'This file is protected',
      text: 'Enter the password that came with it. The download starts right away.',
      label: 'Password',
      submit: 'Download the file',
      wrong: 'That password is not right. Try again.',
      tooMany: 'Too many wrong passwords. Wait a while and try again.',
    },
    download: {
      title: 'A file for you',
      name: 'Name',
      size: 'Size',
      hidden: 'Its name and size are shown after the password is entered.',
      go: 'Download the file',
    },
    units: 'B kB MB GB TB',
  },
};

/** Every language that pages are in, by its tag. */
export const catalogue: Readonly<Record<string, PageTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ar: arabic,
};

/**
 * The texts in the first of the visitor's languages that there is, under the brand of the domain that was visited.
 * `languages` are lower-case tags.
 */
export function textsFor(languages: readonly string[], brand?: Brand): PageTexts {
  const texts = findTexts(languages);
  return brand ? { ...texts, brand } : texts;
}

function findTexts(languages: readonly string[]): PageTexts {
  for (const tag of languages) {
    const [base = ''] = tag.split('-', 1);
    // A tag begins with two or three letters; nothing that objects inherit is called like that.
    const found = catalogue[base];
    if (found) return found;
  }
  return english;
}
