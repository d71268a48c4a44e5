import type { Brand } from './brand.ts';

/**
 * The texts of public pages. Each language is a file in `languages/`; visitors whose languages are missing get
 * English. `{name}` is a placeholder.
 */
export interface PageTexts {
  /** BCP 47 tag and direction for the `html` element. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** The branded domain that the page is shown on; not part of the catalog. */
  brand?: Brand;
  notFound: Message;
  /** The responses to `?notrack=1` and `?notrack=0` on a bare domain. */
  leaveOut: Message;
  count: Message;
  unknownHost: Message;
  gone: Message;
  expired: Message;
  early: Message;
  unsafe: Message;
  tooMany: Message;
  unavailable: Message;
  badMethod: Message;
  failed: Message;
  tooLarge: Message;
  landing: { title: string; text: string; signIn: string };
  /** The link from a 404 page to the bare domain, `{host}`. */
  wayOn: string;
  password: {
    title: string;
    text: string;
    label: string;
    submit: string;
    wrong: string;
    tooMany: string;
  };
  preview: {
    title: string;
    text: string;
    destination: string;
    hidden: string;
    depends: string;
    go: string;
  };
  card: { title: string; go: string };
  /** In an app's built-in browser: the link to the phone's browser. */
  inApp: { title: string; text: string; go: string; stay: string };
  /** Labels of bio pages, besides their owners' texts. */
  bio: {
    watch: string;
    download: string;
    saveContact: string;
    /** Labels of the contact form. */
    name: string;
    email: string;
    message: string;
    send: string;
    thanks: Message;
    refused: Message;
    back: string;
    /** For a block that can be shared: disclosure, button, its text after copying, and the alt text of the QR code. */
    share: string;
    copy: string;
    copied: string;
    code: string;
  };
  /** The public list of a campaign. */
  list: { by: string; empty: string };
  /** The public page of an account. */
  profile: { lists: string; empty: string };
  /** The destination in a frame, and its overlay. */
  frame: { direct: string; close: string; more: string; email: string };
  /** The pages that redirect by themselves. */
  splash: { title: string; timestamp: string; product: string; leads: string; go: string };
  /** After the form of an overlay. */
  thanks: { taken: Message; refused: Message; back: string };
  /** The public statistics of a link or campaign, and texts that replace those above on their pages. */
  statistics: {
    about: string;
    /** The label of the period choice. */
    period: string;
    periods: Record<'7d' | '30d' | '90d' | '12m', string>;
    clicks: string;
    visitors: string;
    /**
     * The name of the chart; the button that shows its numbers, and the header of their first
     * column.
     */
    course: string;
    table: string;
    time: string;
    none: string;
    lists: Record<'country' | 'referrer' | 'device' | 'browser' | 'os' | 'language', string>;
    unknown: string;
    direct: string;
    times: string;
    notKept: string;
    stopped: string;
    badMethod: Message;
    tooMany: Message;
    unavailable: Message;
    password: PageTexts['password'];
  };
  /** Pages with the content of a QR code. */
  qr: Record<QrText, string>;
  /** Texts of file pages, replacing those above or in addition to them. */
  file: {
    expired: Message;
    badMethod: Message;
    unavailable: Message;
    password: PageTexts['password'];
    download: { title: string; name: string; size: string; hidden: string; go: string };
    /** From bytes upward in steps of 1000, separated by spaces. */
    units: string;
  };
}

type QrText =
  | 'text'
  | 'contact'
  | 'saveContact'
  | 'write'
  | 'to'
  | 'subject'
  | 'message'
  | 'writeNow'
  | 'call'
  | 'number'
  | 'callNow'
  | 'sms'
  | 'wifi'
  | 'network'
  | 'password'
  | 'security'
  | 'open'
  | 'starts'
  | 'ends'
  | 'where'
  | 'saveEvent'
  | 'place'
  | 'coordinates'
  | 'map'
  | 'leads'
  | 'destination'
  | 'go'
  | 'organization'
  | 'position'
  | 'phone'
  | 'mobile'
  | 'email'
  | 'website'
  | 'address'
  | 'note';

interface Message {
  title: string;
  text: string;
}
