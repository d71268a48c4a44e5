import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decoder } from '../../../server/content/qr/decoder.ts';
import { addLink, getLink } from '../../../server/contract/links.ts';
import { getLinkStats } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { expectValidHtml } from '../../support/valid-html.ts';
import { type Visited, visit } from '../../support/visits.ts';

let server: TestApp;
let userId: number;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
  userId = (await server.request('GET', '/api/account')).body.data.id;
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

let made = 0;
/** Makes a page and returns its id and path. */
async function add(fields: Record<string, unknown> = {}) {
  made += 1;
  const alias = `page${made}`;
  const body = { name: 'A page', alias, ...fields };
  const reply = await server.request('POST', '/api/bio/add', { body });
  expect([reply.status, reply.body.message]).toEqual([200, 'The bio page was created.']);
  return { id: reply.body.id as number, path: `/${alias}` };
}
const read = async (id: number) => (await server.request('GET', `/api/bio/${id}`)).body.data;
const put = (path: string, body: unknown) => server.request('PUT', path, { body });
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const policyOf = (page: Visited) => String(page.headers['content-security-policy']);

const everything = [
  {
    type: 'link',
    title: 'Shop',
    url: 'https://shop.example.com/?a=1&b=2',
    image: 'https://i.example.com/1.png',
  },
  { type: 'link', title: 'Plain', url: 'https://plain.example.com/', highlight: true },
  { type: 'link', title: 'Write', url: 'mailto:anna@example.com?subject=Hello%20you' },
  { type: 'heading', text: 'About' },
  { type: 'text', text: 'First\nSecond' },
  { type: 'image', image: 'https://i.example.com/2.png', alt: 'A square' },
  { type: 'image', image: 'https://i.example.com/3.png', url: 'https://gallery.example.com/' },
  { type: 'divider' },
  {
    type: 'socials',
    items: [
      { network: 'instagram', url: 'https://instagram.com/anna' },
      { network: 'phone', url: '+49 30 1234567' },
    ],
  },
  { type: 'vcard', name: 'Anna Berg', role: 'Baker', organization: 'Bread; Co', note: 'Line one' },
  { type: 'video', title: 'Film', url: 'https://youtu.be/abcdefghijk' },
  { type: 'contact', title: 'Write to me' },
];

describe('the page', () => {
  test('shows every block, valid, without scripts, and requests nothing from elsewhere', async () => {
    const { id, path } = await add({
      title: 'Anna Berg',
      description: 'Bakes bread\nand cake',
      avatar: 'https://i.example.com/me.png',
      blocks: everything,
    });
    const page = await visit(server, path);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    await expectValidHtml(page.body);
    expect(page.body).not.toMatch(/<script|\son\w+=/);
    const loaded = [...page.body.matchAll(/<(?:img|link rel="icon")[^>]*?(?:src|href)="([^"]+)"/g)];
    expect(loaded.length).toBeGreaterThan(4);
    for (const [, address] of loaded) expect(address).toMatch(/^\/img\/[0-9a-f]{32}$/);
    expect(page.body).toContain(`href="/bio/${id}/1"`);
    expect(page.body).toContain('href="mailto:anna@example.com?subject=Hello%20you"');
    expect(page.body).toContain(`href="/bio/${id}/9/1"`);
    expect(page.body).toContain('href="tel:+49301234567"');
    expect(page.body).toContain(`<link rel="canonical" href="${server.origin}${path}">`);
    expect(page.body).toMatch(new RegExp(`<meta property="og:image" content="${server.origin}/img/`));
    expect(page.body).toContain('<meta name="description" content="Bakes bread">');
    expect(gzipSync(page.body).length).toBeLessThan(20_000);
  });

  test('shares no origin with the admin pages on a host that serves both', async () => {
    const { path } = await add({ blocks: everything });
    const policy = policyOf(await visit(server, path));
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain('; sandbox allow-downloads');
    expect(policy).not.toMatch(/allow-same-origin|allow-scripts|unsafe-/);
    const plain = policyOf(await visit(server, (await add()).path));
    expect(plain).toContain("form-action 'none'");
    expect(plain).not.toContain('allow-forms');
  });

  test('omits disabled blocks and those whose target is gone', async () => {
    const link = await server.call(addLink, { body: { url: 'https://example.com/', custom: 'shortlived' } });
    const upload = await server.request('POST', '/api/files/upload/price%20list.pdf', { rawBody: 'content' });
    const { id, path } = await add({
      blocks: [
        { type: 'link', title: 'Switched off', url: 'https://example.com/', enabled: false },
        { type: 'link', title: 'Short', url: link.shorturl },
        { type: 'file', file: upload.body.id },
      ],
    });
    const before = (await visit(server, path)).body;
    expect(before).toContain('Short');
    expect(before).toContain('price list.pdf');
    expect(before).not.toContain('Switched off');
    expect((await visit(server, `/bio/${id}/1`)).status).toBe(404);
    expect((await visit(server, `/bio/${id}/3`)).location).toBe(upload.body.shorturl);
    await server.request('DELETE', `/api/url/${link.id}/delete`);
    await server.request('DELETE', `/api/file/${upload.body.id}/delete`);
    const after = (await visit(server, path)).body;
    expect(after).not.toContain('Short<');
    expect(after).not.toContain('price list.pdf');
    expect((await visit(server, `/bio/${id}/2`)).status).toBe(404);
    expect((await visit(server, `/bio/${id}/3`)).status).toBe(404);
  });

  test("uses the visitor's language for fixed texts", async () => {
    const { path } = await add({ blocks: [{ type: 'contact', title: 'Kontakt' }] });
    const german = await visit(server, path, { headers: { 'Accept-Language': 'de' } });
    expect(german.body).toContain('<html lang="de" dir="ltr">');
    const arabic = await visit(server, path, { headers: { 'Accept-Language': 'ar' } });
    expect(arabic.body).toContain('<html lang="ar" dir="rtl">');
    for (const page of [german, arabic]) await expectValidHtml(page.body);
  });

  test('is read-only, and 404 when deleted', async () => {
    const { id, path } = await add();
    expect((await visit(server, path, { method: 'POST', body: 'x=1' })).status).toBe(405);
    await server.request('DELETE', `/api/bio/${id}/delete`);
    expect((await visit(server, path)).status).toBe(404);
    const reused = await server.call(addLink, {
      body: { url: 'https://example.com/', custom: path.slice(1) },
    });
    expect(reused.shorturl).toBe(server.origin + path);
  });
});

describe('views and clicks', () => {
  test('count people, each one unique once a day, and nobody else', async () => {
    const { id, path } = await add();
    await visit(server, path);
    await visit(server, path);
    await visit(server, path, { agent: 'iphone' });
    await visit(server, path, { agent: 'previewBot' });
    await visit(server, path, { method: 'HEAD' });
    await visit(server, `${path}+`);
    await visit(server, `${path}?notrack`);
    expect(await read(id)).toMatchObject({ views: 3, uniqueviews: 2, clicks: 0 });
    server.clock.advance(86_400_000);
    await visit(server, path);
    expect(await read(id)).toMatchObject({ views: 4, uniqueviews: 3 });
  });

  test('count for the block, which redirects with 302', async () => {
    const { id } = await add({ blocks: everything });
    const first = await visit(server, `/bio/${id}/1`);
    expect([first.status, first.location, first.headers['cache-control']]).toEqual([
      302,
      'https://shop.example.com/?a=1&b=2',
      'private, no-store',
    ]);
    await visit(server, `/bio/${id}/1`, { agent: 'previewBot' });
    await visit(server, `/bio/${id}/1?notrack`);
    await visit(server, `/bio/${id}/1`, { method: 'HEAD' });
    expect((await visit(server, `/bio/${id}/9/1`)).location).toBe('https://instagram.com/anna');
    expect((await visit(server, `/bio/${id}/11`)).location).toBe('https://youtu.be/abcdefghijk');
    expect((await visit(server, `/bio/${id}/7`)).location).toBe('https://gallery.example.com/');
    const page = await read(id);
    expect(page.clicks).toBe(4);
    const counted = page.blocks.filter(({ clicks }: { clicks: number }) => clicks > 0);
    expect(counted.map(({ id: block, clicks }: { id: number; clicks: number }) => [block, clicks])).toEqual([
      [1, 1],
      [7, 1],
      [9, 1],
      [11, 1],
    ]);
  });

  test('do not redirect from unknown blocks', async () => {
    const { id } = await add({ blocks: everything });
    const paths = ['4', '5', '6', '8', '9', '9/3', '9/0', '1/1', '99', '0', '1x', '12', '1/', '../1'];
    for (const path of paths)
      expect([path, (await visit(server, `/bio/${id}/${path}`)).status]).toEqual([path, 404]);
    expect((await visit(server, '/bio/99999/1')).status).toBe(404);
    expect((await visit(server, `/bio/${id}/1`, { method: 'POST', body: 'a=b' })).status).toBe(405);
    expect((await read(id)).clicks).toBe(0);
  });

  test("count for the owner's short link too, with the source bio", async () => {
    const link = await server.call(addLink, { body: { url: 'https://example.com/far' } });
    const { id } = await add({ blocks: [{ type: 'link', title: 'Mine', url: link.shorturl }] });
    const page = await visit(server, `/bio/${id}/1`);
    expect([page.status, page.location]).toEqual([302, 'https://example.com/far']);
    expect((await server.call(getLink, { params: { id: link.id } })).data.clicks).toBe(1);
    const { dimensions } = (await server.call(getLinkStats, { params: { id: link.id }, query: {} })).data;
    expect(dimensions.source).toEqual([{ value: 'bio', clicks: 1, uniqueclicks: 1 }]);
    expect((await read(id)).blocks[0].clicks).toBe(1);
  });

  test('send the visitor of a protected link to its own address for the password', async () => {
    const link = await server.call(addLink, {
      body: { url: 'https://example.com/secret', password: 'open sesame' },
    });
    const { id } = await add({ blocks: [{ type: 'link', title: 'Secret', url: link.shorturl }] });
    const page = await visit(server, `/bio/${id}/1`);
    expect([page.status, page.location]).toEqual([302, link.shorturl]);
  });

  test('are shown by period and block', async () => {
    const { id, path } = await add({ blocks: everything });
    await visit(server, path);
    await visit(server, `/bio/${id}/1`);
    server.clock.advance(3 * 86_400_000);
    await visit(server, path);
    await visit(server, `/bio/${id}/1`);
    await visit(server, `/bio/${id}/11`);
    const stats = async (query: string) =>
      (await server.request('GET', `/api/bio/${id}/stats?${query}`)).body.data;
    const month = await stats('period=30d');
    expect(month).toMatchObject({ interval: 'day', views: 2, clicks: 3, previous: { views: 0, clicks: 0 } });
    expect(month.series).toHaveLength(30);
    expect(month.series.at(-1)).toMatchObject({ views: 1, clicks: 2 });
    expect(month.blocks).toEqual([
      { id: 1, type: 'link', title: 'Shop', clicks: 2 },
      { id: 11, type: 'video', title: 'Film', clicks: 1 },
    ]);
    expect(await stats('period=24h')).toMatchObject({ interval: 'hour', views: 1, clicks: 2 });
    expect(await stats('period=all')).toMatchObject({ views: 2, clicks: 3, previous: null });
  });
});

describe('a contact card', () => {
  test('is a vCard that address books can read, and counts', async () => {
    const { id } = await add({
      blocks: [
        {
          type: 'vcard',
          name: 'Anna Berg',
          role: 'Baker',
          organization: 'Bread; Co',
          email: 'anna@example.com',
          phone: '+49 30 1234567',
          website: 'https://example.com',
          note: 'ü'.repeat(60),
        },
      ],
    });
    const card = await visit(server, `/bio/${id}/1`);
    expect([card.status, card.headers['content-type'], card.headers['content-disposition']]).toEqual([
      200,
      'text/vcard; charset=utf-8',
      'attachment; filename="contact.vcf"',
    ]);
    expect(card.headers['x-content-type-options']).toBe('nosniff');
    const lines = card.body.split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining(['BEGIN:VCARD', 'N:Berg;Anna;;;', 'FN:Anna Berg', 'ORG:Bread\\; Co']),
    );
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(card.body.replaceAll('\r\n ', '')).toContain(`NOTE:${'ü'.repeat(60)}`);
    expect((await read(id)).clicks).toBe(1);
  });
});

describe('a contact form', () => {
  const message = { name: 'Carl', email: 'carl@example.com', message: 'Hello\nthere' };

  test('stores messages for its owner, who reads and deletes them', async () => {
    const { id, path } = await add({ blocks: [{ type: 'contact', title: 'Write' }] });
    const sent = await visit(server, `/bio/${id}/1`, {
      method: 'POST',
      body: form({ ...message, back: path }),
    });
    expect(sent.status).toBe(200);
    expect(sent.body).toContain('Thank you');
    expect(sent.body).toContain(`href="${path}?notrack"`);
    await expectValidHtml(sent.body);
    const list = await server.request('GET', `/api/bio/${id}/messages`);
    expect(list.body.data.messages).toEqual([
      { id: expect.any(Number), block: 1, ...message, date: expect.any(String) },
    ]);
    expect((await read(id)).blocks[0].clicks).toBe(1);
    const entry = `/api/bio/${id}/message/${list.body.data.messages[0].id}/delete`;
    const bert = secondAccount(server, `reader${id}`);
    expect((await bert.request('GET', `/api/bio/${id}/messages`)).status).toBe(404);
    expect((await bert.request('DELETE', entry)).status).toBe(404);
    expect((await server.request('DELETE', entry)).status).toBe(200);
    expect((await server.request('DELETE', entry)).status).toBe(404);
    expect((await server.request('GET', `/api/bio/${id}/messages`)).body.data.result).toBe(0);
  });

  test.each([
    [{ email: 'nobody' }],
    [{ name: ' ' }],
    [{ message: '' }],
    [{ message: 'x'.repeat(4001) }],
    [{ name: 'x'.repeat(121) }],
  ])('refuses %j and stores nothing', async (fields) => {
    const { id } = await add({ blocks: [{ type: 'contact', title: 'Write' }] });
    const body = form({ ...message, ...fields });
    expect((await visit(server, `/bio/${id}/1`, { method: 'POST', body })).status).toBe(400);
    expect((await server.request('GET', `/api/bio/${id}/messages`)).body.data.result).toBe(0);
  });

  test('thanks a program that fills in the invisible field, and drops its input', async () => {
    const { id } = await add({ blocks: [{ type: 'contact', title: 'Write' }] });
    const body = form({ ...message, website: 'https://spam.example' });
    expect((await visit(server, `/bio/${id}/1`, { method: 'POST', body })).status).toBe(200);
    expect((await server.request('GET', `/api/bio/${id}/messages`)).body.data.result).toBe(0);
  });

  test('never leads elsewhere, and accepts ten a minute from an address', async () => {
    const { id } = await add({ blocks: [{ type: 'contact', title: 'Write' }] });
    const away = form({ ...message, back: '//evil.example/x' });
    const page = await visit(server, `/bio/${id}/1`, { method: 'POST', body: away });
    expect(page.body).toContain('href="/?notrack"');
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await visit(server, `/bio/${id}/1`, { method: 'POST', body: form(message) })).status);
    }
    expect(statuses).toEqual([...Array(9).fill(200), 429, 429]);
  });
});

describe('on a branded domain', () => {
  const host = { Host: 'anna.example.com' };

  /** A domain as the job leaves it, so that a change does not switch its routing off. */
  function activeDomain(name: string): number {
    const id = addDomain(server, name, userId);
    server.databases.main.prepare('UPDATE domains SET server_synced = 1 WHERE id = ?').run(id);
    return id;
  }

  test('a page is served at its alias there and nowhere else, and needs no sandbox', async () => {
    const domain = activeDomain('pages.example.com');
    const { id, path } = await add({ domain, blocks: everything });
    const there = { headers: { Host: 'pages.example.com' } };
    const page = await visit(server, path, there);
    expect(page.status).toBe(200);
    expect(policyOf(page)).not.toContain('sandbox');
    expect(page.body).toContain(`<link rel="canonical" href="https://pages.example.com${path}">`);
    expect((await visit(server, path)).status).toBe(404);
    expect((await visit(server, `/bio/${id}/1`, there)).status).toBe(302);
    expect((await visit(server, `/bio/${id}/1`)).status).toBe(404);
    expect((await read(id)).clicks).toBe(1);
  });

  test('the root shows the page, and its former target when the page is removed', async () => {
    const domain = activeDomain('anna.example.com');
    const { id } = await add({ title: 'At the front', blocks: everything });
    await put(`/api/domain/${domain}/update`, { redirectroot: 'https://example.com/old' });
    const bound = await put(`/api/domain/${domain}/update`, { bioid: id });
    expect([bound.status, bound.body.data]).toEqual([
      200,
      { id: domain, domain: 'https://anna.example.com', redirectroot: null },
    ]);
    const shown = async () => (await server.request('GET', `/api/domain/${domain}`)).body.data;
    expect(await shown()).toMatchObject({ bioid: id, redirectroot: null });
    const page = await visit(server, '/', { headers: host });
    expect([page.status, page.body.includes('At the front')]).toEqual([200, true]);
    expect(page.body).toContain('<input type="hidden" name="back" value="/">');
    expect((await visit(server, `/bio/${id}/1`, { headers: host })).location).toContain('shop.example.com');
    expect(await read(id)).toMatchObject({ views: 1, clicks: 1, frontof: ['https://anna.example.com'] });
    await put(`/api/domain/${domain}/update`, { bioid: 0 });
    expect(await shown()).toMatchObject({ bioid: null, redirectroot: 'https://example.com/old' });
    expect((await visit(server, '/', { headers: host })).location).toBe('https://example.com/old');
    expect((await visit(server, `/bio/${id}/1`, { headers: host })).status).toBe(404);
  });

  test('a URL for the root replaces its page', async () => {
    const domain = activeDomain('turn.example.com');
    const { id } = await add();
    await put(`/api/domain/${domain}/update`, { bioid: id });
    await put(`/api/domain/${domain}/update`, { redirectroot: 'https://example.com/new' });
    const { data } = (await server.request('GET', `/api/domain/${domain}`)).body;
    expect(data).toMatchObject({ bioid: null, redirectroot: 'https://example.com/new' });
  });

  test("no domain shows somebody else's page", async () => {
    const bert = secondAccount(server, 'stranger');
    const domain = addDomain(server, 'stranger.example.com', bert.id);
    const { id } = await add();
    const reply = await bert.request('PUT', `/api/domain/${domain}/update`, { body: { bioid: id } });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, 'unknown_bio', 'bioid']);
  });

  test('a deleted page is removed from its domains and channels in one step', async () => {
    const domain = activeDomain('gone.example.com');
    const { id } = await add();
    await put(`/api/domain/${domain}/update`, { bioid: id });
    const channel = (await server.request('POST', '/api/channel/add', { body: { name: 'Gone' } })).body.id;
    await server.request('POST', `/api/channel/${channel}/assign/bio/${id}`);
    await server.request('DELETE', `/api/bio/${id}/delete`);
    expect((await server.request('GET', `/api/domain/${domain}`)).body.data.bioid).toBe(null);
    expect((await server.request('GET', `/api/channel/${channel}`)).body.data.result).toBe(0);
    const bare = await visit(server, '/', { headers: { Host: 'gone.example.com' } });
    expect([bare.status, bare.body.includes('opens its owner’s short links')]).toEqual([200, true]);
    const left = server.databases.main.prepare(
      `SELECT count(*) FROM aliases WHERE kind = 'bio' AND target_id = ?`,
    );
    expect(left.pluck().get(id)).toBe(0);
  });

  test('a deletion that fails halfway leaves the page, its address, its domain and its channel unchanged', async () => {
    const domain = activeDomain('whole.example.com');
    const { id, path } = await add({ title: 'Still here', avatar: 'https://i.example.com/whole.png' });
    await put(`/api/domain/${domain}/update`, { bioid: id });
    const channel = (await server.request('POST', '/api/channel/add', { body: { name: 'Whole' } })).body.id;
    await server.request('POST', `/api/channel/${channel}/assign/bio/${id}`);
    const { main } = server.databases;
    main.exec(`CREATE TRIGGER broken BEFORE UPDATE ON page_pictures BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const reply = await server.request('DELETE', `/api/bio/${id}/delete`);
    main.exec('DROP TRIGGER broken');
    expect(reply.status).toBe(500);
    expect((await visit(server, path)).body).toContain('Still here');
    expect((await visit(server, '/', { headers: { Host: 'whole.example.com' } })).body).toContain(
      'Still here',
    );
    expect((await server.request('GET', `/api/channel/${channel}`)).body.data.result).toBe(1);
    expect((await server.request('DELETE', `/api/bio/${id}/delete`)).status).toBe(200);
    expect((await server.request('GET', `/api/domain/${domain}`)).body.data.bioid).toBe(null);
  });

  test("an account's pages are deleted with it, and nothing refers to them any more", async () => {
    const gone = secondAccount(server, 'leaver');
    const made = await gone.request('POST', '/api/bio/add', {
      body: { name: 'Leaving', alias: 'leaving-page' },
    });
    const domain = activeDomain('orphaned.example.com');
    const { main } = server.databases;
    main.prepare('UPDATE domains SET bio_id = ? WHERE id = ?').run(made.body.id, domain);
    expect((await visit(server, '/leaving-page')).status).toBe(200);
    expect((await server.request('DELETE', `/api/user/${gone.id}/delete`)).status).toBe(200);
    expect((await visit(server, '/leaving-page')).status).toBe(404);
    expect(main.prepare('SELECT bio_id FROM domains WHERE id = ?').pluck().get(domain)).toBe(null);
    const link = await server.call(addLink, {
      body: { url: 'https://example.com/', custom: 'leaving-page' },
    });
    expect(link.shorturl).toBe(`${server.origin}/leaving-page`);
  });

  test('a page keeps an address when its domain is deleted', async () => {
    const domain = activeDomain('leaving.example.com');
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'both' } });
    const { id } = await add({ domain, alias: 'both' });
    await server.request('DELETE', `/api/domain/${domain}/delete`);
    const page = await read(id);
    expect([page.alias, page.link]).toEqual(['both-2', `${server.origin}/both-2`]);
    expect((await visit(server, '/both-2')).status).toBe(200);
  });
});

test('the page of a disabled account is not shown', async () => {
  const { path } = await add();
  server.databases.main.prepare('UPDATE users SET active = 0 WHERE id = ?').run(userId);
  const page = await visit(server, path);
  server.databases.main.prepare('UPDATE users SET active = 1 WHERE id = ?').run(userId);
  expect(page.status).toBe(404);
});

describe('the blocks below a heading', () => {
  const links = ['One', 'Two', 'Three', 'Four'].map((title) => ({
    type: 'link',
    title,
    url: `https://${title.toLowerCase()}.example.com/`,
  }));
  const heading = (text: string, group?: string | null) => ({
    type: 'heading',
    text,
    ...(group !== undefined && { group }),
  });
  const shapeOf = ({ body }: Visited) =>
    [
      ...body
        .slice(body.indexOf('<main>'))
        .matchAll(/<(\/?(?:section|details|summary|h2|hr|b)\b[^>]*)>([^<]*)/g),
    ]
      .map(([, tag = '', text = '']) => (/^(h2|b)/.test(tag) ? text : tag))
      .filter((part) => part !== '/h2' && part !== '/b');

  test('are grouped or collapsible up to the next heading or divider', async () => {
    const [one, two, three, four] = links;
    const { path } = await add({
      blocks: [
        heading('Fold', 'fold'),
        one,
        heading('Frame', 'together'),
        two,
        three,
        { type: 'divider' },
        four,
        heading('Empty', 'open'),
      ],
    });
    const page = await visit(server, path);
    await expectValidHtml(page.body);
    expect(shapeOf(page)).toEqual([
      ...['details class="group fold"', 'summary', 'Fold', '/summary', 'One', '/details'],
      ...['section class="group"', 'Frame', 'Two', 'Three', '/section'],
      ...['hr', 'Four', 'Empty'],
    ]);
  });

  test('are counted as before, keep their group, and stay visible without one', async () => {
    const { id, path } = await add({
      blocks: [heading('Open', 'open'), links[0], heading('Plain'), links[1]],
    });
    const { blocks } = await read(id);
    expect(blocks.map(({ group }: { group?: string }) => group)).toEqual([
      'open',
      undefined,
      undefined,
      undefined,
    ]);
    expect((await visit(server, path)).body).toContain('<details class="group fold" open>');
    expect((await visit(server, `/bio/${id}/${blocks[1].id}`)).location).toBe('https://one.example.com/');
    await put(`/api/bio/${id}/update`, { blocks: [{ ...blocks[0], group: null }, blocks[1]] });
    expect((await visit(server, path)).body).not.toContain('<details');
    const refused = await put(`/api/bio/${id}/update`, { blocks: [heading('Odd', 'sideways')] });
    expect(refused.status).toBe(400);
  });
});

describe('a block with a share button', () => {
  test('shows its URL and QR code, and the page runs only the button’s own script', async () => {
    const link = (
      await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/', custom: 'passed-on' },
      })
    ).body;
    const { id, path } = await add({
      blocks: [
        { type: 'link', title: 'Shop "A&B"', url: 'https://shop.example.com/', share: true },
        { type: 'link', title: 'Short', url: link.shorturl, share: true },
        { type: 'link', title: 'Write', url: 'mailto:anna@example.com', share: true },
        { type: 'link', title: 'Alone', url: 'https://alone.example.com/' },
      ],
    });
    await put(`/api/url/${link.id}/update`, { custom: 'passed-round' });
    const page = await visit(server, path);
    await expectValidHtml(page.body);
    const { blocks } = await read(id);
    const addresses = [...page.body.matchAll(/<input value="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual([
      `http://localhost:${server.port}/bio/${id}/${blocks[0].id}`,
      `http://localhost:${server.port}/passed-round`,
      'mailto:anna@example.com',
    ]);
    const pictures = [...page.body.matchAll(/<img src="[^"]*" width="176"[^>]* alt="([^"]*)"/g)];
    expect(pictures.map(([, alt]) => alt)).toEqual([
      'QR code: Shop &quot;A&amp;B&quot;',
      'QR code: Short',
      'QR code: Write',
    ]);
    expect((await visit(server, new URL(addresses[0] ?? '').pathname)).location).toBe(
      'https://shop.example.com/',
    );
    expect(page.body.match(/<script/g)).toHaveLength(1);
    expect(policyOf(page)).toMatch(/script-src 'sha256-[^']+';.*sandbox [a-z- ]*allow-scripts$/);
    expect(policyOf(page)).not.toContain('allow-same-origin');
    const code = await visit(server, `/bio/${id}/${blocks[0].id}.svg`);
    expect([code.status, code.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    const picture = await sharp(Buffer.from(code.body)).png().toBuffer();
    const reads = decoder();
    expect(await reads.decode(picture)).toBe(addresses[0]);
    await reads.close();
  });

  test('is not shown if its owner did not want it', async () => {
    const { id, path } = await add({
      blocks: [{ type: 'link', title: 'Alone', url: 'https://alone.example.com/' }],
    });
    const { blocks } = await read(id);
    const page = await visit(server, path);
    expect(page.body).not.toMatch(/<script|class="share"/);
    expect(policyOf(page)).not.toMatch(/script/);
    for (const code of [`/bio/${id}/${blocks[0].id}.svg`, `/bio/${id}/999.svg`, `/bio/999/1.svg`])
      expect((await visit(server, code)).status).toBe(404);
    await put(`/api/bio/${id}/update`, { blocks: [{ ...blocks[0], share: true, enabled: false }] });
    expect((await visit(server, `/bio/${id}/${blocks[0].id}.svg`)).status).toBe(404);
  });
});

test('every block with a target can be shared, and those without cannot', async () => {
  const upload = await server.request('POST', '/api/files/upload/prices.pdf', { rawBody: 'content' });
  const picture = 'https://example.com/picture.png';
  const shares = { share: true };
  const { id, path } = await add({
    blocks: [
      { type: 'image', image: picture, url: 'https://picture.example.com/', ...shares },
      { type: 'image', image: picture, ...shares },
      {
        type: 'socials',
        items: [
          { network: 'github', url: 'https://github.com/anna' },
          { network: 'email', url: 'anna@example.com' },
        ],
        ...shares,
      },
      { type: 'vcard', name: 'Anna Ní', email: 'anna@example.com', ...shares },
      { type: 'file', file: upload.body.id, ...shares },
      { type: 'heading', text: 'About', ...shares },
      { type: 'contact', title: 'Write', ...shares },
    ],
  });
  const page = await visit(server, path);
  await expectValidHtml(page.body);
  const { blocks } = await read(id);
  const at = (index: number, part = '') => `/bio/${id}/${blocks[index].id}${part}`;
  const base = `http://localhost:${server.port}`;
  const fields = [...page.body.matchAll(/<input value="([^"]*)" aria-label="([^"]*)"/g)];
  expect(fields.map(([, address, name]) => [address, name])).toEqual([
    [base + at(0), 'picture.example.com'],
    [`${base}${at(2)}/1`, 'GitHub'],
    ['mailto:anna@example.com', 'E-mail'],
    [base + at(3), 'Anna Ní'],
    [base + at(4), 'prices.pdf'],
  ]);
  expect((await visit(server, at(0))).location).toBe('https://picture.example.com/');
  expect((await visit(server, at(2, '/1'))).location).toBe('https://github.com/anna');
  expect((await visit(server, at(3))).body).toContain('FN:Anna Ní');
  const codes = [...page.body.matchAll(/<img src="([^"]*\.svg)"/g)].map(([, code]) => code ?? '');
  const reads = decoder();
  const said = await Promise.all(
    codes.map(async (code) =>
      reads.decode(
        await sharp(Buffer.from((await visit(server, code)).body))
          .png()
          .toBuffer(),
      ),
    ),
  );
  await reads.close();
  expect(said).toEqual(fields.map(([, address]) => address));
  for (const none of [at(1), at(2), at(2, '/3'), at(0, '/1'), at(5), at(6)])
    expect((await visit(server, `${none}.svg`)).status).toBe(404);
});

test("a block that is a short link opens the link's app on phones that have it", async () => {
  const link = (
    await server.request('POST', '/api/url/add', {
      body: {
        url: 'https://example.com/',
        deeplink: {
          apple: 'https://apps.apple.com/app/id1',
          google: 'https://play.google.com/store/apps/details?id=a',
        },
      },
    })
  ).body;
  const { id } = await add({ blocks: [{ type: 'link', title: 'App', url: link.shorturl }] });
  const { blocks } = await read(id);
  const follow = async (agent: 'iphone' | 'android' | 'windows') =>
    (await visit(server, `/bio/${id}/${blocks[0].id}`, { agent })).location;
  const direct = async (agent: 'iphone' | 'android' | 'windows') =>
    (await visit(server, new URL(link.shorturl).pathname, { agent })).location;
  for (const agent of ['iphone', 'android', 'windows'] as const)
    expect(await follow(agent)).toBe(await direct(agent));
  expect(await follow('iphone')).toContain('apps.apple.com');
});
