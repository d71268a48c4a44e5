import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addLink, listLinks } from '../../../server/contract/links.ts';
import { addPixel, getPixel, listPixels, pixelTags, pixelTypes } from '../../../server/contract/pixels.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const made = async (type: (typeof pixelTypes)[number]) =>
  (await server.call(addPixel, { body: { type, name: `Pixel ${type}`, tag: pixelTags[type].example } })).id;

test.each(pixelTypes)('the description of a pixel matches what a visitor loads: %s', async (type) => {
  const id = await made(type);
  const link = await server.call(addLink, { body: { url: 'https://example.com/', pixels: [id] } });
  const { data } = await server.call(getPixel, { params: { id }, query: { figures: '1' } });
  expect(data.links).toBe(1);
  const { pictures = [], script, hosts } = data.requests ?? {};
  const addresses = [...pictures, ...(script ? [script] : [])];
  const { body, headers } = await visit(server, new URL(link.shorturl).pathname);
  const loaded = [...body.matchAll(/<(?:img|script)[^>]* src="([^"]+)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
  expect(loaded).toEqual(addresses);
  expect(loaded.length).toBeGreaterThan(0);
  for (const host of hosts ?? []) expect(headers['content-security-policy']).toContain(host);
});

test('statistics are only included on request', async () => {
  const plain = (await server.call(listPixels)).data.pixels[0];
  expect(plain).not.toHaveProperty('requests');
  const [shown] = (await server.call(listPixels, { query: { figures: '1' } })).data.pixels;
  expect(shown).toMatchObject({ links: 1, requests: { hosts: expect.any(Array) } });
});

test('pixels are searched by name and tag, ignoring case', async () => {
  const found = async (q: string) =>
    (await server.call(listPixels, { query: { q, limit: 100 } })).data.pixels.map(({ type }) => type);
  expect(await found('pixel TIKTOK')).toEqual(['tiktok']);
  expect(await found('gtm-abc')).toEqual(['gtmpixel']);
  expect(await found('%%')).toEqual([]);
});

test("a pixel's links are listed, and not those of others", async () => {
  const [one, other] = [await made('bing'), await made('bing')];
  const link = await server.call(addLink, { body: { url: 'https://example.com/', pixels: [one] } });
  const idsOf = async (pixel: number) =>
    (await server.call(listLinks, { query: { pixel } })).data.urls.map(({ id }) => id);
  expect([await idsOf(one), await idsOf(other)]).toEqual([[link.id], []]);
});
