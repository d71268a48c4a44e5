import opentype from 'opentype.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

const drawing = '../../../server/content/qr/drawing';
let server: TestApp;
beforeAll(async () => {
  // On this thread redirects are answered. Other threads have modules of their own, where nothing is replaced.
  const here = () => {
    throw new Error('a code was drawn on the thread that answers redirects');
  };
  // Anew: tests of one process share their modules.
  vi.resetModules();
  vi.doMock(`${drawing}/svg.ts`, async (original) => ({ ...(await original<object>()), svgOf: here }));
  vi.doMock(`${drawing}/design.ts`, async (original) => ({
    ...(await original<object>()),
    designWith: here,
  }));
  const { startApp } = await import('../../support/app.ts');
  server = await startApp();
});
afterAll(async () => {
  await server.close();
  vi.doUnmock(`${drawing}/svg.ts`);
  vi.doUnmock(`${drawing}/design.ts`);
  vi.resetModules();
});

test('caption fonts are read one per turn, with everybody else in between', async () => {
  const { lettering } = await import('../../../server/content/qr/drawing/caption.ts');
  const parse = vi.spyOn(opentype, 'parse');
  let before = 0;
  let mostInTurn = 0;
  let isRead = false;
  const look = () => {
    const read = parse.mock.calls.length;
    mostInTurn = Math.max(mostInTurn, read - before);
    before = read;
    if (!isRead) setImmediate(look);
  };
  look();
  await lettering('Menu');
  isRead = true;
  look();
  expect(parse.mock.calls.length).toBeGreaterThan(5);
  expect(mostInTurn).toBe(1);
  parse.mockRestore();
});

test('a code is previewed, saved and updated without drawing on the redirect thread', async () => {
  const text = 'https://example.com/a-menu';
  const body = { name: 'Menu', type: 'text', data: { text }, modules: 'dots' };
  const preview = await server.request('POST', '/api/qr/preview', { body });
  expect([preview.status, preview.body.data.encoded, preview.body.data.problem]).toEqual([200, text, null]);
  expect(preview.body.data.svg).toMatch(/^<svg /);
  const added = await server.request('POST', '/api/qr/add', { body });
  expect(added.body.error).toBe(0);
  const { id } = added.body;
  const change = { data: { text: 'https://example.com/another' } };
  expect((await server.request('PUT', `/api/qr/${id}/update`, { body: change })).body.error).toBe(0);
  const { link, encoded } = (await server.request('GET', `/api/qr/${id}`)).body.data;
  expect(encoded).toBe('https://example.com/another');
  const picture = await visit(server, `${new URL(link).pathname}.svg`);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
});

test('a text that is too long for a code is refused with a reason', async () => {
  const body = { name: 'Long', type: 'text', data: { text: 'x'.repeat(1900) }, correction: 'H' };
  const reply = await server.request('POST', '/api/qr/add', { body });
  expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, 'content_too_long', 'data']);
});
