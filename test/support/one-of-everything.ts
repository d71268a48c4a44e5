import type { TestApp } from './app.ts';
import { addDomain } from './second-account.ts';
import { upload } from './uploads.ts';
import { type browsers, type Visited, visit } from './visits.ts';

/** The address of every instance that uses it, so that responses of two instances can be compared unchanged. */
export const baseUrl = 'https://links.example.com';
/** A domain of its account. */
export const branded = 'go.brand.example';

const fingerprint = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16)).join(':');

/** Settings of a domain: its apps, and where unknown links lead. */
export const domainSettings = {
  redirectroot: 'https://brand.example/home',
  redirect404: 'https://brand.example/lost',
  redirectexpired: 'https://brand.example/over',
  redirectearly: 'https://brand.example/soon',
  apps: {
    apple: [{ id: 'ABCDE12345.com.example.app', paths: ['/app/*', '!/app/help'] }],
    android: [{ package: 'com.example.app', fingerprints: [fingerprint] }],
  },
};

/** A link for each thing that can be set on one, by its alias. */
export const plainLinks: Record<string, Record<string, unknown>> = {
  plain: {},
  texts: { title: '=1+1 "quoted",  שלום', description: '- one\n"two"', note: "'@SUM(A1)\n\n日本語" },
  permanent: { redirect: 301 },
  kept: { redirect: 307, forwardquery: true, parameters: [{ name: 'ref', value: 'a b' }] },
  archived: { archived: true },
  early: { notbefore: '2027-01-20' },
  ended: { expiry: '2026-12-24 08:30:00' },
  elsewhere: { expiry: '2026-12-24', expirationredirect: 'https://example.com/over' },
  // Over already where its time is read in a zone further east.
  tonight: { expiry: '2027-01-15 15:00:00' },
  once: { clicklimit: 1 },
  planned: { archiveon: '2027-01-18', deleteon: '2027-01-19 06:00:00' },
  tested: {
    abtesting: [{ url: 'https://example.com/b', percentage: 100 }],
    testuntil: '2027-01-17',
    testwinner: 'https://example.com/b',
  },
  framed: { type: 'frame' },
  waiting: { type: 'splash' },
  card: { metatitle: 'Card', metadescription: 'Of a link', metaimage: 'https://example.com/картина.png' },
  apps: {
    deeplink: {
      auto: true,
      apple: 'https://apps.apple.com/app/id1',
      google: 'https://play.google.com/store/apps/details?id=a',
    },
  },
  targets: {
    geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
    devicetarget: [{ device: 'iPhone', link: 'https://example.com/iphone' }],
    languagetarget: [{ language: 'fr', link: 'https://example.com/fr' }],
  },
  ruled: {
    rules: [
      {
        conditions: [{ type: 'region', op: 'in', value: ['California', 'US-OR'] }],
        link: 'https://example.com/west',
      },
      { conditions: [{ type: 'continent', op: 'is', value: 'EU' }], link: 'https://example.com/eu' },
      {
        conditions: [
          { type: 'date', op: 'before', value: '2027-01-16 10:00:00' },
          { type: 'query', op: 'is', value: 'now=1' },
        ],
        link: 'https://example.com/now',
      },
      {
        conditions: [
          {
            type: 'schedule',
            op: 'between',
            value: { days: [5], from: '00:00', to: '24:00', timezone: 'Europe/Berlin' },
          },
          { type: 'browser', op: 'contains', value: 'Chrome' },
          { type: 'referrer', op: 'contains', value: 'news' },
        ],
        link: 'https://example.com/friday',
      },
    ],
  },
};
/** The same of the domain, where aliases may have slashes. */
export const brandedLinks: Record<string, Record<string, unknown>> = {
  'docs/start': {},
  'docs/ended': { expiry: '2026-12-24' },
  'docs/early': { notbefore: '2027-01-20' },
};

/** Adds the domain to the first account of an instance, as a checked one. Returns its id. */
export function addBranded(server: TestApp): number {
  const id = addDomain(server, branded, 1);
  server.databases.main.prepare('UPDATE domains SET server_synced = 1 WHERE id = ?').run(id);
  return id;
}

/** Records that `fillInstance` made and that have an address, by their path. */
export interface Filled {
  paths: string[];
}

/** Fills an instance with one record of every kind. Throws if something is refused. */
export async function fillInstance(server: TestApp, domain: number): Promise<Filled> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await server.request(method, path, { body });
    if (reply.status >= 300) throw new Error(`${path} was refused: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const make = (resource: string, body: unknown) => ask('POST', `/api/${resource}/add`, body);
  const destination = (alias: string) => `https://example.com/?of=${encodeURIComponent(alias)}`;

  await ask('PUT', `/api/domain/${domain}/aliases`, { slashes: true, style: 'words', prefix: 'b-' });
  await ask('PUT', `/api/domain/${domain}/update`, domainSettings);
  await ask('PUT', '/api/account/aliases', { length: 9, prefix: 'x-' });
  await ask('PUT', '/api/parameters', { parameters: ['ref'] });
  await ask('PUT', '/api/privacy', { noReferrer: true, noBrowser: true });
  await make('utm', { name: 'Newsletter', source: 'news letter', medium: 'mail', term: 'a', content: 'b' });

  const campaign = (await make('campaign', { name: 'Spring "2027", sale', public: true, slug: 'spring' })).id;
  // A rotator of several links draws one.
  const alone = (await make('campaign', { name: 'Alone', public: true, slug: 'alone' })).id;
  await make('url', { url: destination('alone'), custom: 'alone', campaign: alone });
  const channels: number[] = [];
  for (const name of ['print/2027', 'one, two', 'bar | slash \\'])
    channels.push((await make('channel', { name, color: '#FF8800' })).id);
  const grouped = { campaign, channel: channels };
  for (const [custom, fields] of Object.entries(plainLinks))
    await make('url', { url: destination(custom), custom, ...grouped, ...fields });
  for (const [custom, fields] of Object.entries(brandedLinks))
    await make('url', { url: destination(custom), custom, domain: branded, ...fields });
  await make('url', { url: destination('utm'), custom: 'utm', utm: 'Newsletter' });
  await make('url', { url: destination('secret'), custom: 'secret', password: 'open sesame' });

  const pixel = (await make('pixel', { type: 'fbpixel', name: 'Of a shop', tag: '1234567890' })).id;
  await make('url', { url: destination('watched'), custom: 'watched', pixels: [pixel] });
  const splash = (await make('splash', { name: 'Hello', title: 'Hello', message: 'Welcome', counter: 9 })).id;
  await make('url', { url: destination('greeted'), custom: 'greeted', type: String(splash) });
  const content = { question: 'Which?', answers: ['One', 'Two'] };
  const overlay = (await make('overlay', { name: 'Poll', type: 'poll', content })).id;
  await make('url', { url: destination('asked'), custom: 'asked', type: `overlay-${overlay}` });

  const file = await upload(server, 'what the file says', { custom: 'readme' }, 'read me.txt');
  await upload(server, 'a secret', { custom: 'locker', password: 'open sesame' });
  const bio = await make('bio', {
    alias: 'me',
    name: 'Me',
    title: 'About me',
    theme: 'ocean',
    shape: 'pill',
    font: 'serif',
    blocks: [
      { type: 'heading', text: 'Shops', group: 'fold' },
      { type: 'link', title: 'One', url: 'https://example.com/one', share: true, highlight: true },
      { type: 'link', title: 'Off', url: 'https://example.com/off', enabled: false },
      { type: 'divider' },
      { type: 'text', text: 'A text' },
      { type: 'socials', items: [{ network: 'mastodon', url: 'https://social.example/@me' }], share: true },
      { type: 'file', file: file.id, title: 'Read me' },
      { type: 'contact', title: 'Write to me' },
    ],
  });
  const look = {
    foreground: '#204060',
    modules: 'dots',
    eyes: 'circle',
    frame: 'bottom',
    caption: 'Scan me',
  };
  await make('qr', {
    type: 'link',
    data: { url: 'https://example.com/scan' },
    name: 'Scan',
    dynamic: true,
    custom: 'scan',
    ...look,
  });
  await make('qr', {
    type: 'wifi',
    data: { ssid: 'Cafe', password: 'coffee beans', encryption: 'WPA' },
    name: 'Wi-Fi',
    dynamic: true,
    custom: 'wifi',
  });
  const links = (await ask('GET', '/api/urls?short=plain')).data.urls;
  const shown = await ask('PUT', `/api/url/${links[0].id}/statspage`, { on: true });
  const guarded = await ask('PUT', `/api/campaign/${campaign}/statspage`, {
    on: true,
    password: 'open sesame',
  });
  return {
    paths: [
      new URL(bio.link).pathname,
      '/me?qr',
      '/readme',
      '/readme+',
      '/locker',
      '/qr/scan',
      ...['png', 'jpg', 'svg', 'pdf'].map((format) => `/qr/scan.${format}`),
      '/qr/wifi',
      '/r/alone',
      '/u/anna',
      `/u/anna/list-${campaign}`,
      new URL(shown.data.url).pathname,
      new URL(guarded.data.url).pathname,
    ],
  };
}

/** Kinds of visitors who get different responses. */
const visitors: Record<
  string,
  { headers?: Record<string, string>; agent?: keyof typeof browsers; query?: string }
> = {
  'from Germany': { headers: { 'X-Forwarded-For': '192.0.2.7' }, query: '?now=1' },
  'from California': { headers: { 'X-Forwarded-For': '198.51.100.7' } },
  'from nowhere': { query: '?now=1&x=%20y' },
  'from the news': { headers: { Referer: 'https://news.example/' } },
  'in French': { headers: { 'Accept-Language': 'fr-FR' } },
  'with an iPhone': { agent: 'iphone' },
  'with Android': { agent: 'android' },
  'a preview': { agent: 'previewBot' },
};

/** The responses to some kinds of visitors at some addresses of its hosts, without what differs each time. */
export async function answersAt(
  server: TestApp,
  hosts: Record<string, readonly string[]>,
  kinds: readonly string[] = Object.keys(visitors),
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [host, paths] of Object.entries(hosts)) {
    for (const path of paths) {
      for (const kind of kinds) {
        const { headers, agent, query = '' } = visitors[kind] ?? {};
        const options = { headers: { ...headers, Host: host }, ...(agent && { agent }) };
        answers[`${host}${path} ${kind}`] = lasting(await visit(server, path + query, options));
      }
      const sent = { method: 'POST', body: 'password=open+sesame', headers: { Host: host } };
      answers[`${host}${path} with the password`] = lasting(await visit(server, path, sent));
    }
  }
  return answers;
}

/** Nonces differ in each response, and tokens and cookies of forms are signed with their time. */
function lasting({ status, headers, body }: Visited) {
  const { date: _date, 'set-cookie': cookie, 'content-security-policy': sent, etag, ...others } = headers;
  const policy = sent && String(sent);
  const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
  const text = nonce === undefined ? body : body.replaceAll(nonce, 'NONCE');
  const names = cookie?.map((each) => each.split('=')[0]);
  return {
    status,
    headers: {
      ...others,
      policy: nonce ? policy?.replaceAll(nonce, 'NONCE') : policy,
      names,
      tagged: etag !== undefined,
    },
    body: text,
  };
}
