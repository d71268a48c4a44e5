import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addLink, getLink } from '../../../server/contract/links.ts';
import { pixelTags, pixelTypes } from '../../../server/contract/pixels.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { type Visited, visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
  const anna = (await server.request('GET', '/api/account')).body.data.id;
  addDomain(server, 'go.example.com', anna);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const destination = 'https://example.com/far?a=1&b=%22';

async function link(fields: Record<string, unknown>) {
  const { id, shorturl } = await server.call(addLink, { body: { url: destination, ...fields } });
  return { id, path: new URL(shorturl).pathname };
}

async function make(resource: string, body: Record<string, unknown>): Promise<number> {
  const reply = await server.request('POST', `/api/${resource}/add`, { body });
  expect(reply.status).toBe(200);
  return reply.body.id;
}

const clicksOf = async (id: number) => (await server.call(getLink, { params: { id } })).data.clicks;
const policyOf = (page: Visited) => String(page.headers['content-security-policy']);
const escaped = destination.replace('&', '&amp;');

/** Addresses that a browser would ask for while it shows the page. */
const loaded = (page: Visited) =>
  [...page.body.matchAll(/<(?:img|script|iframe|link)[^>]*?(?:src|href)="([^"]+)"/g)].map(([, url]) => url);

function expectPage(page: Visited): void {
  expect(page.status).toBe(200);
  expect(page.location).toBeUndefined();
  expect(page.headers['cache-control']).toBe('private, no-store');
  const policy = policyOf(page);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toMatch(/; sandbox allow-scripts( |$)/);
  expect(policy).not.toMatch(/allow-same-origin|unsafe-|allow-top-navigation(?!-by)/);
}

describe('a frame page', () => {
  test('shows the destination in a frame, with a direct link to it', async () => {
    const { id, path } = await link({ type: 'frame', title: '<i>Title</i>' });
    const page = await visit(server, path);
    expectPage(page);
    expect(page.body).toContain(`<iframe src="${escaped}"`);
    expect(page.body).toContain(`href="${escaped}"`);
    expect(page.body).toContain('&lt;i&gt;Title&lt;/i&gt;');
    expect(policyOf(page)).toContain("script-src 'none'");
    expect(await clicksOf(id)).toBe(1);
  });

  test('has no sandbox on a branded domain, which serves nothing else of ours', async () => {
    const { path } = await link({ type: 'frame', domain: 'go.example.com' });
    const page = await visit(server, path, { headers: { Host: 'go.example.com' } });
    expect(page.status).toBe(200);
    expect(policyOf(page)).not.toContain('sandbox');
    expect(policyOf(page)).toContain("default-src 'none'");
  });
});

describe('a splash page', () => {
  test('continues by itself and by a button, without a script', async () => {
    const { id, path } = await link({ type: 'splash', title: 'Where to' });
    const page = await visit(server, path);
    expectPage(page);
    expect(page.body).toContain(`<meta http-equiv="refresh" content="5;url=${escaped}">`);
    expect(page.body).toContain(`<a class="action" rel="noreferrer" href="${escaped}">`);
    expect(page.body).not.toContain('<script');
    expect(loaded(page)).toEqual([]);
    expect(await clicksOf(id)).toBe(1);
  });

  test('can have its own texts, pictures and duration', async () => {
    const splash = await make('splash', {
      name: 'Own',
      title: '"><script>alert(1)</script>',
      message: "<img src=x onerror='alert(1)'>",
      product: 'https://shop.example.com/?q="x"',
      avatar: 'https://img.example.com/a.png',
      banner: 'https://img.example.com/b.png',
      counter: 7,
    });
    const { path } = await link({ type: String(splash) });
    const page = await visit(server, path);
    expectPage(page);
    expect(page.body).toContain('content="7;url=');
    expect(page.body).not.toMatch(/<script|<img src=x|onerror='/);
    expect(loaded(page)).toEqual([
      expect.stringMatching(/^\/img\/[0-9a-f]{32}$/),
      expect.stringMatching(/^\/img\/[0-9a-f]{32}$/),
    ]);
    const picture = await visit(server, loaded(page)[0] as string);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await visit(server, `/img/${'0'.repeat(32)}`)).status).toBe(404);
  });

  test('comes after the password, and is not counted for HEAD or a preview', async () => {
    const { id, path } = await link({ type: 'splash', password: 'secret' });
    expect((await visit(server, path)).body).toContain('type="password"');
    const page = await visit(server, path, { method: 'POST', body: 'password=secret' });
    expectPage(page);
    expect(page.headers['set-cookie']).toHaveLength(1);
    expect((await visit(server, path, { method: 'HEAD' })).body).toBe('');
    await visit(server, `${path}+`);
    expect(await clicksOf(id)).toBe(1);
  });

  test('follows the rules and parameters of its link', async () => {
    const { path } = await link({
      type: 'splash',
      parameters: [{ name: 'ref', value: 'x' }],
      devicetarget: [{ device: 'iPhone', link: 'https://example.com/ios' }],
    });
    const page = await visit(server, path, { agent: 'iphone' });
    expect(page.body).toContain('url=https://example.com/ios?ref=x"');
  });

  test('is skipped if it was deleted', async () => {
    const { id, path } = await link({});
    server.databases.main.prepare("UPDATE links SET type = '999999' WHERE id = ?").run(id);
    server.clock.advance(1000);
    expect(await visit(server, path)).toMatchObject({ status: 302, location: destination });
  });
});

describe('an overlay', () => {
  test.each([
    ['message', { text: '<b>Hi</b>', label: 'More', link: 'https://example.com/more' }],
    ['contact', { title: 'Write', button: 'Mail', email: 'us@example.com' }],
    ['coupon', { text: 'Less', code: 'TEN' }],
    ['image', { image: 'https://img.example.com/c.png', link: 'https://example.com/more' }],
    ['newsletter', { title: 'Letter', button: 'Go' }],
    ['poll', { question: 'Which?', answers: ['One', 'Two'] }],
  ])('of type %s covers the destination and can be closed', async (type, content) => {
    const overlay = await make('overlay', { name: type, type, content, colors: { button: '#fa0' } });
    const { id, path } = await link({ type: `overlay-${overlay}` });
    const page = await visit(server, path);
    expectPage(page);
    expect(page.body).toContain(`<iframe src="${escaped}"`);
    expect(page.body).toMatch(/<details open><summary aria-label=/);
    expect(page.body).toContain('#FFAA00');
    expect(page.body).not.toMatch(/<b>|<script| style=| on\w+=/);
    for (const text of Object.values(content).flat()) {
      if (!text.startsWith('https:') && text !== '<b>Hi</b>') expect(page.body).toContain(text);
    }
    expect(await clicksOf(id)).toBe(1);
  });
});

describe('the form of an overlay', () => {
  const send = (id: number, fields: Record<string, string>, from = 'windows' as 'windows' | 'iphone') =>
    visit(server, `/o/${id}`, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      agent: from,
    });
  const answersOf = async (id: number) => {
    const { body } = await server.request('GET', `/api/overlay/${id}/answers`);
    return body.data.answers.map(({ value, count }: { value: string; count: number }) => [value, count]);
  };

  test('of a newsletter accepts each address once', async () => {
    const content = { title: 'Letter', button: 'Go' };
    const id = await make('overlay', { name: 'Letter', type: 'newsletter', content });
    const { path } = await link({ type: `overlay-${id}` });
    const page = await visit(server, path);
    expect(page.body).toContain(`<form method="post" action="/o/${id}">`);
    expect(policyOf(page)).toContain("form-action 'self'");
    const thanks = await send(id, { answer: 'eve@example.com', back: path });
    expect(thanks.status).toBe(200);
    expect(thanks.body).toContain(`href="${path}?notrack"`);
    await send(id, { answer: 'EVE@example.com' });
    expect((await send(id, { answer: '<b>@example.com' })).status).toBe(400);
    expect((await send(id, {})).status).toBe(400);
    expect(await answersOf(id)).toEqual([['eve@example.com', 1]]);
  });

  test('of a poll accepts one option per visitor and day', async () => {
    const content = { question: 'Which?', answers: ['One', 'Two'] };
    const id = await make('overlay', { name: 'Poll', type: 'poll', content });
    await send(id, { answer: 'Two' });
    await send(id, { answer: 'One' });
    await send(id, { answer: 'Two' }, 'iphone');
    expect((await send(id, { answer: 'Three' })).status).toBe(400);
    expect(await answersOf(id)).toEqual([['Two', 2]]);
  });

  test('never leads to another server', async () => {
    const content = { title: 'Letter', button: 'Go' };
    const id = await make('overlay', { name: 'Back', type: 'newsletter', content });
    for (const back of [
      'https://evil.example/x',
      '//evil.example/x',
      'javascript:alert(1)',
      '/a/b',
      '"><b>',
    ]) {
      const thanks = await send(id, { answer: 'x', back });
      expect(thanks.body).not.toMatch(/evil\.example|javascript:|<b>/);
    }
  });

  test('exists only for overlays with input, and limits how much is sent', async () => {
    const id = await make('overlay', { name: 'M', type: 'message', content: { text: 'x' } });
    expect((await send(id, { answer: 'x' })).status).toBe(404);
    expect((await send(999_999, { answer: 'x' })).status).toBe(404);
    const poll = { name: 'P', type: 'poll', content: { question: 'Q', answers: ['One', 'Two'] } };
    const asking = await make('overlay', poll);
    expect((await visit(server, `/o/${asking}`)).status).toBe(404);
    for (let count = 0; count < 20; count += 1) await send(asking, { answer: 'One' });
    expect((await send(asking, { answer: 'One' })).status).toBe(429);
  });
});

describe('pixels', () => {
  test.each(pixelTypes)('of type %s are loaded on the way, from nowhere else', async (type) => {
    const { example } = pixelTags[type];
    const pixel = await make('pixel', { type, name: type, tag: example });
    const { id, path } = await link({ pixels: [pixel] });
    const page = await visit(server, path);
    expectPage(page);
    expect(page.body).toMatch(/<meta http-equiv="refresh" content="[12];url=/);
    expect(page.body).toContain(`href="${escaped}"`);
    const addresses = loaded(page);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(address).toMatch(/^https:\/\/[\w.-]+\//);
    const nonces = [...page.body.matchAll(/<script nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
    expect(nonces.length).toBe(page.body.split('<script').length - 1);
    for (const nonce of nonces) expect(policyOf(page)).toContain(`'nonce-${nonce}'`);
    if (nonces.length === 0) expect(policyOf(page)).toContain("script-src 'none'");
    expect(await clicksOf(id)).toBe(1);
  });

  test('have a new nonce each time', async () => {
    const pixel = await make('pixel', { type: 'tiktok', name: 'T', tag: pixelTags.tiktok.example });
    const { path } = await link({ pixels: [pixel] });
    const nonceOf = async () => /nonce="([^"]+)"/.exec((await visit(server, path)).body)?.[1];
    expect(await nonceOf()).not.toBe(await nonceOf());
  });

  test('with an invalid tag are skipped, wherever they came from', async () => {
    const pixel = await make('pixel', { type: 'fbpixel', name: 'F', tag: pixelTags.fbpixel.example });
    const { path } = await link({ pixels: [pixel], type: 'splash' });
    const tag = '1"><script>alert(1)</script>';
    server.databases.main.prepare('UPDATE pixels SET tag = ? WHERE id = ?').run(tag, pixel);
    const page = await visit(server, path);
    expect(page.body).not.toMatch(/<script|facebook/);
  });
});
