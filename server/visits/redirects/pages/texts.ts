import type { Language } from '../../../contract/languages.ts';
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
    title: 'Link not found',
    text: 'Check the URL for typos, or ask the person who sent it to you.',
  },
  leaveOut: {
    title: 'Your visits aren’t counted here',
    text: 'This browser is left out of the statistics on this domain for 13 months, or until you delete its cookies.',
  },
  count: {
    title: 'Your visits are counted here',
    text: 'This browser is part of the statistics on this domain again.',
  },
  unknownHost: {
    title: 'This domain is not set up',
    text: 'It points to this server, but no links are set up for it.',
  },
  gone: { title: 'This link is disabled', text: 'Its owner has disabled it.' },
  expired: {
    title: 'This link has expired',
    text: 'It reached its time or visit limit.',
  },
  early: { title: 'This link isn’t active yet', text: 'Please check back later.' },
  unsafe: {
    title: 'This link can’t be opened',
    text: 'A browser can’t safely open its destination.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: 'Too many unknown links were opened from your network. Wait a minute and try again.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'This link can’t be opened right now. Try again in a minute.',
  },
  badMethod: { title: 'This is a link', text: 'It can only be opened.' },
  failed: { title: 'Something went wrong', text: 'This is a problem on our side. Try again in a minute.' },
  tooLarge: { title: 'Request too large', text: 'The form sent too much data.' },
  landing: {
    title: 'Short links',
    text: 'This server opens its owner’s short links.',
    signIn: 'Sign in',
  },
  wayOn: 'Go to {host}',
  password: {
    title: 'This link is protected',
    text: 'Enter the password that came with it.',
    label: 'Password',
    submit: 'Open the link',
    wrong: 'Wrong password. Try again.',
    tooMany: 'Too many wrong passwords. Wait a quarter of an hour and try again.',
  },
  preview: {
    title: 'Where this link goes',
    text: 'Viewing this preview doesn’t count as a visit.',
    destination: 'Destination',
    hidden: 'The destination is shown after the password is entered.',
    depends: 'It may depend on location, device, language or time.',
    go: 'Open the link',
  },
  card: { title: 'A short link', go: 'Open the link' },
  inApp: {
    title: 'Open this in your browser',
    text: 'This app shows links inside itself, where other apps don’t open. If the button does nothing, choose “Open in browser” in this app’s menu.',
    go: 'Open in browser',
    stay: 'Continue here',
  },
  bio: {
    share: 'Share',
    copy: 'Copy URL',
    copied: 'Copied',
    code: 'QR code',
    watch: 'Watch the video',
    download: 'Download',
    saveContact: 'Save contact',
    name: 'Your name',
    email: 'Your email address',
    message: 'Your message',
    send: 'Send',
    thanks: { title: 'Thank you', text: 'Your message was sent.' },
    refused: { title: 'That didn’t work', text: 'Go back, fill in every field and send it again.' },
    back: 'Back to the page',
  },
  list: { by: 'Links by {owner}', empty: 'There are no links here yet.' },
  profile: { lists: 'Lists of links', empty: 'There are no lists here yet.' },
  frame: { direct: 'Open directly', close: 'Close or open', more: 'Learn more', email: 'Email address' },
  splash: {
    title: 'You’re being redirected',
    timestamp: 'One moment, please',
    product: 'Learn more',
    leads: 'This link goes to {host}',
    go: 'Continue',
  },
  thanks: {
    taken: { title: 'Thank you', text: 'Thanks, we got it.' },
    refused: { title: 'That didn’t work', text: 'Go back, check what you entered and send it again.' },
    back: 'Back to the page',
  },
  statistics: {
    about: 'The owner of this page shares its statistics.',
    period: 'Period',
    periods: { '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days', '12m': 'Last 12 months' },
    clicks: 'Clicks',
    visitors: 'Unique visitors',
    course: 'Clicks over time',
    table: 'Show as a table',
    time: 'Time',
    none: 'No clicks in this period.',
    lists: {
      country: 'Countries',
      referrer: 'Referrers',
      device: 'Devices',
      browser: 'Browsers',
      os: 'Systems',
      language: 'Languages',
    },
    unknown: 'Unknown',
    direct: 'Direct or unknown',
    times: 'Days are counted in UTC. New clicks show up within a minute.',
    notKept: 'To protect visitors, some details aren’t kept.',
    stopped: 'New visits are no longer counted.',
    badMethod: { title: 'This is a statistics page', text: 'It can only be opened.' },
    tooMany: {
      title: 'Too many page views',
      text: 'Statistics were opened too often from your network. Wait a minute and try again.',
    },
    unavailable: {
      title: 'One moment, please',
      text: 'These statistics can’t be opened right now. Try again in a minute.',
    },
    password: {
      title: 'These statistics are protected',
      text: 'Enter the password that came with the URL.',
      label: 'Password',
      submit: 'Show statistics',
      wrong: 'Wrong password. Try again.',
      tooMany: 'Too many wrong passwords. Try again later.',
    },
  },
  qr: {
    text: 'Text',
    contact: 'Contact',
    saveContact: 'Save this contact',
    write: 'Send an email',
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
    starts: 'Starts',
    ends: 'Ends',
    where: 'Where',
    saveEvent: 'Add to the calendar',
    place: 'Place',
    coordinates: 'Coordinates',
    map: 'Show on a map',
    leads: 'Where this code goes',
    destination: 'Destination',
    go: 'Continue',
    organization: 'Organization',
    position: 'Position',
    phone: 'Phone',
    mobile: 'Mobile',
    email: 'Email',
    website: 'Website',
    address: 'Address',
    note: 'Note',
  },
  file: {
    expired: {
      title: 'This file is no longer available',
      text: 'It reached its time or download limit. Ask the person who sent it to you.',
    },
    badMethod: { title: 'This is a file', text: 'It can only be downloaded.' },
    unavailable: {
      title: 'One moment, please',
      text: 'This file can’t be downloaded right now. Try again in a minute.',
    },
    password: {
      title: 'This file is protected',
      text: 'Enter the password that came with it. The download starts right away.',
      label: 'Password',
      submit: 'Download the file',
      wrong: 'Wrong password. Try again.',
      tooMany: 'Too many wrong passwords. Try again later.',
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

/** All languages of public pages, by tag. */
export const catalogue: Readonly<Record<Language, PageTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ar: arabic,
};

/**
 * The texts in the first available language of the visitor, with the brand of the requested domain.
 * `languages` are lower-case tags.
 */
export function textsFor(languages: readonly string[], brand?: Brand): PageTexts {
  const texts = findTexts(languages);
  return brand ? { ...texts, brand } : texts;
}

function findTexts(languages: readonly string[]): PageTexts {
  for (const tag of languages) {
    const [base = ''] = tag.split('-', 1);
    // A tag begins with two or three letters, which no inherited property does.
    const found = (catalogue as Readonly<Record<string, PageTexts>>)[base];
    if (found) return found;
  }
  return english;
}
