import sharp from 'sharp';
import type { StartOptions, TestApp } from './app.ts';
import { secondAccount } from './second-account.ts';
import { upload } from './uploads.ts';
import { browsers, type Visited, visit } from './visits.ts';

/** A public page, as the server returned it. */
export interface PublicPage {
  name: string;
  path: string;
  reply: Visited;
  /** Resources that it intentionally loads from elsewhere. */
  foreign?: 'frame' | 'pixels' | 'picture';
}

/** The texts that fill the pages: of maximum length, or hostile. */
export type TextFor = (longest: number) => string;

/** Options of `startApp` that make pictures available without a network. */
export async function picturesFor(): Promise<Pick<StartOptions, 'fetcher'>> {
  const picture = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  return { fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } };
}

/**
 * Creates one of everything with a public page, with the texts in every field, and visits all of the pages. `key`
 * distinguishes the aliases of several calls. Throws if something is refused unexpectedly.
 */
export async function visitAllPages(server: TestApp, key: string, text: TextFor): Promise<PublicPage[]> {
  const pages: PublicPage[] = [];
  const make = async (resource: string, body: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const reply = await server.request('POST', `/api/${resource}/add`, { body });
    if (reply.status >= 300) throw new Error(`${resource} was refused: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const look = async (
    name: string,
    path: string,
    options: Parameters<typeof visit>[2] & { foreign?: PublicPage['foreign'] } = {},
  ) => {
    const { foreign, ...request } = options;
    const reply = await visit(server, path, request);
    pages.push({ name, path, reply, ...(foreign && { foreign }) });
  };
  const url = `https://example.com/?q=${encodeURIComponent(text(400))}`;
  const link = (alias: string, fields: Record<string, unknown> = {}) =>
    make('url', { url, custom: key + alias, title: text(255), description: text(2000), ...fields });

  await look('landing', '/');
  await look('unknown address', `/${key}-nothing`);
  await look('wrong method', '/', { method: 'PUT' });
  await look('unknown host', '/', { headers: { Host: 'elsewhere.example' } });

  await link('off', { archived: true });
  await look('switched off', `/${key}off`);
  await link('early', { notbefore: '2090-01-01 00:00:00' });
  await look('not open yet', `/${key}early`);
  await link('once', { clicklimit: 1 });
  await visit(server, `/${key}once`);
  await look('used up', `/${key}once`);
  await link('locked', { password: 'secret' });
  await look('password', `/${key}locked`);
  await look('wrong password', `/${key}locked`, {
    method: 'POST',
    body: `password=${encodeURIComponent(text(200))}`,
  });
  await link('plain', {
    rules: [{ link: url, conditions: [{ type: 'browser', op: 'is', value: text(100) }] }],
  });
  await look('preview', `/${key}plain+`);
  await look('no form here', `/${key}plain`, { method: 'POST', body: 'a=b' });
  await link('card', {
    metatitle: text(255),
    metadescription: text(500),
    metaimage: 'https://example.com/p.png',
  });
  await look('card', `/${key}card`, { headers: { 'User-Agent': browsers.previewBot }, foreign: 'picture' });

  const pixel = await make('pixel', { type: 'fbpixel', name: text(80), tag: '1234567890' });
  const script = await make('pixel', { type: 'gapixel', name: text(80), tag: 'G-ABCDEFGHIJ' });
  await link('pixels', { pixels: [pixel.id] });
  await look('pixels', `/${key}pixels`, { foreign: 'pixels' });
  await link('scripts', { type: 'splash', pixels: [script.id] });
  await look('splash with a script', `/${key}scripts`, { foreign: 'pixels' });
  await link('splash', { type: 'splash' });
  await look('splash', `/${key}splash`);
  const splash = await make('splash', {
    name: text(80),
    title: text(120),
    message: text(500),
    product: url,
    avatar: 'https://pictures.test/a.png',
    banner: 'https://pictures.test/b.png',
    counter: 30,
  });
  await link('own', { type: String(splash.id) });
  await look('own splash', `/${key}own`);
  await link('frame', { type: 'frame' });
  await look('frame', `/${key}frame`, { foreign: 'frame' });

  const contents = {
    message: { text: text(500), label: text(60), link: url },
    contact: { title: text(120), button: text(60), email: 'me@example.com' },
    newsletter: { title: text(120), button: text(60) },
    poll: { question: text(200), answers: [text(100), 'Something else'] },
    coupon: { text: text(200), code: text(60) },
    image: { image: 'https://pictures.test/c.png', link: url },
  };
  for (const [type, content] of Object.entries(contents)) {
    const overlay = await make('overlay', { name: text(80), type, content });
    await link(type, { type: `overlay-${overlay.id}` });
    await look(`overlay ${type}`, `/${key}${type}`, { foreign: 'frame' });
    if (type !== 'poll') continue;
    const answer = (words: string) =>
      new URLSearchParams({ answer: words, back: `/${key}${type}` }).toString();
    await look('thanks', `/o/${overlay.id}`, { method: 'POST', body: answer('Something else') });
    await look('not taken', `/o/${overlay.id}`, { method: 'POST', body: answer(`other ${text(100)}`) });
  }

  const campaign = await make('campaign', { name: `${key} ${text(110)}`, public: true });
  await link('listed', { campaign: campaign.id });
  await look('campaign list', `/u/anna/list-${campaign.id}`);
  const other = secondAccount(server, `${key}profile`);
  const profile = { public: true, media: true, name: text(100) };
  await other.request('PUT', '/api/account/update', { body: profile });
  await other.request('POST', '/api/campaign/add', { body: { name: text(110), public: true } });
  await look('profile', `/u/${key}profile`);

  const stored = { custom: `${key}file`, password: 'secret' };
  await upload(server, 'content', stored, fileName(text));
  await look('file password', `/${key}file`);
  await look('wrong file password', `/${key}file`, { method: 'POST', body: 'password=wrong' });
  await look('hidden file', `/${key}file+`);
  await upload(server, 'content', { custom: `${key}open`, maxdownloads: '1' }, fileName(text));
  await look('file', `/${key}open+`);
  await visit(server, `/${key}open`);
  await look('file used up', `/${key}open`);
  const shown = await upload(server, 'content', { custom: `${key}shown` }, fileName(text));

  const picture = 'https://pictures.test/d.png';
  await make('bio', {
    alias: `${key}bio`,
    name: text(120),
    title: text(120),
    description: text(500),
    avatar: picture,
    blocks: [
      { type: 'link', title: text(120), url, description: text(200), image: picture },
      { type: 'heading', text: text(120) },
      { type: 'text', text: text(2000) },
      { type: 'image', image: picture, alt: text(300), url },
      { type: 'divider' },
      { type: 'socials', items: [{ network: 'website', url }] },
      {
        type: 'vcard',
        name: text(120),
        role: text(120),
        organization: text(120),
        note: text(500),
        website: url,
      },
      { type: 'video', title: text(120), url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', image: picture },
      { type: 'file', file: shown.id, title: text(120) },
      { type: 'contact', title: text(120), button: text(60) },
    ],
  });
  await look('bio', `/${key}bio`);

  const codes = {
    text: { text: text(500) },
    wifi: { ssid: text(32), password: text(60), encryption: 'WPA' },
    email: { email: 'me@example.com', subject: text(100), message: text(300) },
    vcard: { firstname: text(60), lastname: text(60), organization: text(60), note: text(200) },
    event: { title: text(100), start: '2030-01-01 10:00:00', location: text(100), description: text(200) },
    geo: { latitude: 1, longitude: 2, label: text(60) },
    sms: { phone: '+49301234567', message: text(160) },
    phone: { phone: '+49301234567' },
  };
  for (const [type, data] of Object.entries(codes)) {
    const code = await make('qr', { type, data, name: text(80), dynamic: true, custom: `${key}${type}` });
    await look(`code ${type}`, new URL(String(code.link)).pathname);
  }
  return pages;
}

/** A file's name may hold no slash, and is at most 255 bytes long. */
function fileName(text: TextFor): string {
  return `${text(60).replace(/[/\\]/g, '-')}.txt`;
}
