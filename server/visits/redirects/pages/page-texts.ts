import type { Brand } from './brand.ts';

/**
 * The texts of the pages that visitors see. A language is a file in `languages/`; visitors with none of them get
 * English. `{name}` stands for what the page puts there.
 */
export interface PageTexts {
  /** BCP 47 tag and direction for the `html` element. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** Of the branded domain that the page is shown on; the catalogue has none. */
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
  /** Leads from a page where there is nothing to the bare domain, `{host}`. */
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
  /** In an app's own browser: the way to the phone's. */
  inApp: { title: string; text: string; go: string; stay: string };
  /** Labels of bio pages, in addition to their owners' texts. */
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
    /** Beside a block that can be passed on: what opens it, the button, what it says then, and what the picture is. */
    share: string;
    copy: string;
    copied: string;
    code: string;
  };
  /** The public list of a campaign. */
  list: { by: string; empty: string };
  /** The public page of an account. */
  profile: { lists: string; empty: string };
  /** The destination in a frame, and what stands over it. */
  frame: { direct: string; close: string; more: string; email: string };
  /** The pages that send their visitor on. */
  splash: { title: string; timestamp: string; product: string; leads: string; go: string };
  /** After the form of an overlay. */
  thanks: { taken: Message; refused: Message; back: string };
  /** The public statistics of a link or a campaign, and what their pages say in place of the texts above. */
  statistics: {
    about: string;
    /** Above the choice of periods. */
    period: string;
    periods: Record<'7d' | '30d' | '90d' | '12m', string>;
    clicks: string;
    visitors: string;
    /**
     * What the picture of their course is called; the button that shows the numbers, and the head of their first
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
  /** The contents of QR codes. */
  qr: Record<QrText, string>;
  /** Texts of file pages, replacing those above or in addition to them. */
  file: {
    expired: Message;
    badMethod: Message;
    unavailable: Message;
    password: PageTexts['password'];
    download: { title: string; name: string; size: string; hidden: string; go: string };
    /** From bytes upwards in steps of 1000, one space between them. */
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
