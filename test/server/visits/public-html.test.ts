import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { expectValidHtml } from '../../support/valid-html.ts';
import { visit } from '../../support/visits.ts';

/** Every public page that visitors can come to, but bio pages, which have their own test. */
let server: TestApp;
let domain: number;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
  const anna = (await server.request('GET', '/api/account')).body.data.id;
  domain = addDomain(server, 'valid.example.com', anna);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const languages = ['en', 'de', 'fr', 'es', 'pt', 'ar'];

async function make(path: string, body: Record<string, unknown>): Promise<number> {
  const reply = await server.request('POST', path, { body });
  expect(reply.body.error).toBe(0);
  return reply.body.id;
}
let made = 0;
/** The path of a new link. */
async function link(fields: Record<string, unknown>): Promise<string> {
  made += 1;
  await make('/api/url/add', {
    url: 'https://example.com/?a=1&b=2',
    custom: `valid${made}`,
    title: 'A & B',
    ...fields,
  });
  return `/valid${made}`;
}
const overlay = (type: string, content: unknown) =>
  make('/api/overlay/add', { name: 'Valid', type, content } as Record<string, unknown>);

const pages: [name: string, path: () => Promise<string> | string][] = [
  ['the landing page', () => '/'],
  ['an unknown address', () => '/nothing-here'],
  [
    'a preview',
    async () =>
      `${await link({ rules: [{ conditions: [{ type: 'os', op: 'is', value: 'Linux' }], link: 'https://example.com/l' }] })}+`,
  ],
  ['a password form', () => link({ password: 'open sesame' })],
  ['a link that is not open yet', () => link({ notbefore: '2099-01-01 00:00:00' })],
  ['a link that was switched off', () => link({ archived: true })],
  ['a link that has expired', () => link({ clicklimit: 1 })],
  ['a splash page', () => link({ type: 'splash' })],
  [
    'a splash page of its own',
    async () =>
      link({
        type: String(
          await make('/api/splash/add', {
            name: 'Valid',
            title: 'Title',
            message: 'Message',
            avatar: 'https://pictures.example/a.png',
            banner: 'https://pictures.example/b.png',
            product: 'https://example.com/product',
          }),
        ),
      }),
  ],
  [
    'a page that loads pixels',
    async () => link({ pixels: [await make('/api/pixel/add', { name: 'P', type: 'bing', tag: '1234567' })] }),
  ],
  ['a frame', () => link({ type: 'frame' })],
  [
    'a message overlay',
    async () =>
      link({
        type: `overlay-${await overlay('message', { text: 'Hi', label: 'Go', link: 'https://example.com/' })}`,
      }),
  ],
  [
    'a contact overlay',
    async () =>
      link({
        type: `overlay-${await overlay('contact', { title: 'Hi', button: 'Write', email: 'a@b.de' })}`,
      }),
  ],
  [
    'a newsletter overlay',
    async () => link({ type: `overlay-${await overlay('newsletter', { title: 'Hi', button: 'Go' })}` }),
  ],
  [
    'a poll',
    async () =>
      link({
        type: `overlay-${await overlay('poll', { question: 'Tea?', answers: ['Yes', 'No "never"'] })}`,
      }),
  ],
  [
    'a coupon',
    async () => link({ type: `overlay-${await overlay('coupon', { text: '10 %', code: 'TEN' })}` }),
  ],
  [
    'a picture overlay',
    async () =>
      link({
        type: `overlay-${await overlay('image', { image: 'https://pictures.example/c.png', link: 'https://example.com/' })}`,
      }),
  ],
  [
    'public statistics',
    async () => {
      const id = await make('/api/url/add', {
        url: 'https://example.com/',
        custom: 'figures',
        title: 'A & B',
      });
      await visit(server, '/figures', { headers: { Referer: 'https://example.com/"quoted"' } });
      const change = { on: true, referrers: true };
      const shared = await server.request('PUT', `/api/url/${id}/statspage`, { body: change });
      return new URL(shared.body.data.url).pathname;
    },
  ],
  [
    'a list of links',
    async () => {
      const campaign = await make('/api/campaign/add', { name: 'Valid <list>', public: true });
      await link({ campaign, description: 'About "it"' });
      return `/u/anna/list-${campaign}`;
    },
  ],
  [
    'a profile',
    async () => {
      await make('/api/campaign/add', { name: 'Another "list" & more', public: true });
      const body = { public: true, media: true, name: 'Anna <Berg>' };
      await server.request('PUT', '/api/account/update', { body });
      return '/u/anna';
    },
  ],
  [
    'a file',
    async () => {
      const reply = await server.request('POST', '/api/files/upload/a%20%26%20b.txt', { rawBody: 'content' });
      return `${new URL(reply.body.shorturl).pathname}+`;
    },
  ],
  [
    'a file with a password',
    async () => {
      const reply = await server.request('POST', '/api/files/upload/c.txt?password=secret', {
        rawBody: 'content',
      });
      return new URL(reply.body.shorturl).pathname;
    },
  ],
];

describe.each(pages)('the HTML of %s', (name, pathOf) => {
  test('is valid in every language', async () => {
    const path = await pathOf();
    if (name.endsWith('expired')) await visit(server, path);
    for (const language of languages) {
      const page = await visit(server, path, { headers: { 'Accept-Language': language } });
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain(`<html lang="${language}"`);
      await expectValidHtml(page.body);
    }
  });
});

test('the card for preview services is valid', async () => {
  const path = await link({
    metatitle: 'Title',
    metadescription: 'About "it"',
    metaimage: 'https://example.com/a.png',
  });
  await expectValidHtml((await visit(server, path, { agent: 'previewBot' })).body);
});

test('a wrong password, and the thanks after a form, are valid', async () => {
  const path = await link({ password: 'open sesame' });
  await expectValidHtml((await visit(server, path, { method: 'POST', body: 'password=wrong' })).body);
  const id = await overlay('newsletter', { title: 'Hi', button: 'Go' });
  const thanks = await visit(server, `/o/${id}`, {
    method: 'POST',
    body: `answer=a%40example.com&back=${path}`,
  });
  expect(thanks.status).toBe(200);
  await expectValidHtml(thanks.body);
});

test('the pages of a branded domain with a logo are valid', async () => {
  await server.request('PUT', `/api/domain/${domain}/update`, {
    body: { logo: 'https://pictures.example/logo.png', favicon: 'https://pictures.example/icon.png' },
  });
  server.databases.main.prepare('UPDATE domains SET active = 1 WHERE id = ?').run(domain);
  const page = await visit(server, '/nothing', { headers: { Host: 'valid.example.com' } });
  expect(page.body).toContain('/img/domain/');
  await expectValidHtml(page.body);
});
