import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pixelTags, pixelTypes } from '../../server/contract/pixels.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { secondAccount } from '../support/second-account.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const add = (body: unknown) => server.request('POST', '/api/pixel/add', { body });
const facebook = { type: 'fbpixel', name: 'Shop', tag: '123456789012345' };

describe('a pixel', () => {
  test('is created, read, changed and deleted', async () => {
    const made = await add(facebook);
    expect([made.status, made.body]).toEqual([200, { error: 0, id: expect.any(Number) }]);
    const { id } = made.body;
    const record = { id, ...facebook, date: expect.stringMatching(/^2027-01-15 12:\d\d:00$/), version: 1 };
    expect((await server.request('GET', `/api/pixel/${id}`)).body).toEqual({ error: 0, data: record });
    const changed = await server.request('PUT', `/api/pixel/${id}/update`, {
      body: { name: 'Store', type: 'bing' },
    });
    expect(changed.body).toEqual({ error: 0, message: 'The pixel was updated.', version: 2 });
    expect((await server.request('GET', '/api/pixels')).body).toEqual({
      error: 0,
      data: {
        result: 1,
        perpage: 15,
        currentpage: 1,
        nextpage: null,
        maxpage: 1,
        // The type is fixed: another one has other tags.
        pixels: [{ ...record, name: 'Store', version: 2 }],
      },
    });
    const removed = await server.request('DELETE', `/api/pixel/${id}/delete`);
    expect(removed.body).toEqual({ error: 0, message: 'The pixel was deleted.' });
    expect((await server.request('GET', `/api/pixel/${id}`)).status).toBe(404);
  });

  test.each(pixelTypes)('of type %s accepts the tag that its message shows', async (type) => {
    expect((await add({ type, name: type, tag: pixelTags[type].example })).status).toBe(200);
    const refused = await add({ type, name: type, tag: '!' });
    expect(refused.body).toMatchObject({ code: 'invalid_tag', field: 'tag' });
    expect(refused.body.message).toContain(pixelTags[type].example);
  });

  test.each(
    pixelTypes.flatMap((type) =>
      [
        '',
        ' ',
        '<script>alert(1)</script>',
        `${pixelTags[type].example}"onload="x`,
        `${pixelTags[type].example}\n<b>`,
        `${pixelTags[type].example}'`,
        `${pixelTags[type].example}&x=1`,
        `${pixelTags[type].example}?`,
        `../${pixelTags[type].example}`,
        '\u202e1234567',
        '１２３４５６７',
        '1'.repeat(65),
        '1',
        '..',
        'a/../b',
        'aa/bb/cc',
      ].map((tag) => [type, tag] as const),
    ),
  )('of type %s refuses the tag %j', async (type, tag) => {
    server.clock.advance(1000);
    const reply = await add({ type, name: type, tag });
    expect([reply.status, reply.body.field]).toEqual([400, 'tag']);
  });

  test.each([{ type: 'other' }, { type: 'FBPIXEL' }, { type: null }, { type: '__proto__' }])(
    'refuses %j',
    async (fields) => {
      const reply = await add({ ...facebook, ...fields });
      expect([reply.status, reply.body.field]).toEqual([400, 'type']);
    },
  );

  test.each(pixelTypes)('of type %s accepts a tag of any form without markup', async (type) => {
    for (const tag of ['ab', 'My_pixel-1.2:3', 'x'.repeat(64)]) {
      const made = await add({ type, name: type, tag });
      expect([tag, made.status]).toEqual([tag, 200]);
      const link = await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/', pixels: [made.body.id] },
      });
      const page = await (await fetch(link.body.shorturl, { redirect: 'manual' })).text();
      expect(page).toContain(tag);
      expect((await server.request('GET', `/api/pixel/${made.body.id}`)).body.data.tag).toBe(tag);
    }
  });

  test('validates an updated tag as well', async () => {
    const { id } = (await add(facebook)).body;
    const change = (tag: string) => server.request('PUT', `/api/pixel/${id}/update`, { body: { tag } });
    expect((await change('G-ABCDEF1234')).status).toBe(200);
    expect((await change('a"b')).body).toMatchObject({ code: 'invalid_tag', field: 'tag' });
  });

  test('is removed from all links when it is deleted', async () => {
    const [one, two] = [(await add(facebook)).body.id, (await add(facebook)).body.id];
    const link = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', pixels: [one, two] },
    });
    const path = `/api/url/${link.body.id}`;
    await server.request('PUT', `${path}/update`, { body: { title: 'x', pixels: [one] } });
    await server.request('PUT', `${path}/update`, { body: { pixels: [one, two] } });
    await server.request('DELETE', `/api/pixel/${one}/delete`);
    expect((await server.request('GET', path)).body.details.pixels).toEqual([two]);
    // Undo knows only what is left.
    const [change] = (await server.request('GET', `${path}/history`)).body.data.changes;
    expect((await server.request('POST', `/api/undo/${change.id}`)).status).toBe(200);
    expect((await server.request('GET', path)).body.details.pixels).toEqual([]);
  });

  test('is refused on a link if it belongs to another account, as if it did not exist', async () => {
    const other = secondAccount(server, 'pixel-owner');
    const theirs = (await other.request('POST', '/api/pixel/add', { body: facebook })).body.id;
    for (const id of [theirs, 999_999]) {
      const body = { url: 'https://example.com/', pixels: [id] };
      const reply = await server.request('POST', '/api/url/add', { body });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, 'unknown_pixel', 'pixels']);
    }
  });

  test('requires a plan with pixels, whether it exists or not', async () => {
    const free = secondAccount(server, 'free-pixels', 1);
    const calls = [
      free.request('POST', '/api/pixel/add', { body: facebook }),
      free.request('PUT', '/api/pixel/999999/update', { body: { name: 'x' } }),
      free.request('POST', '/api/url/add', { body: { url: 'https://example.com/', pixels: [999_999] } }),
    ];
    for (const reply of await Promise.all(calls)) {
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', 'pixels']);
    }
    expect((await free.request('GET', '/api/pixels')).status).toBe(200);
  });
});
