import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLink, getLink, type NewLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

const dayMs = 86_400_000;
const over = 'https://example.com/over';
const depends = 'It may depend on location, device, language or time.';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

let made = 0;
async function makeLink(fields: Partial<NewLink>) {
  made += 1;
  const custom = `previewed-${made}`;
  const url = `https://example.com/own-${made}`;
  const { id } = await server.call(addLink, { body: { url, custom, ...fields } });
  return { id, path: `/${custom}`, url };
}

/** Opens the preview and checks that it counts nothing. */
async function preview({ id, path }: { id: number; path: string }) {
  const before = await server.call(getLink, { params: { id } });
  const page = await visit(server, `${path}+`);
  const after = await server.call(getLink, { params: { id } });
  expect(after.data.clicks).toBe(before.data.clicks);
  expect((await visit(server, `${path}+`, { method: 'HEAD' })).status).toBe(page.status);
  return page;
}

test('the preview of an expired link shows where it leads now, and does not lead there', async () => {
  const dated = await makeLink({ expiry: '2020-01-01 00:00:00', expirationredirect: over });
  const limited = await makeLink({ clicklimit: 1, expirationredirect: over, password: 'secret' });
  const used = await makeLink({ clicklimit: 1, expirationredirect: over });
  expect((await visit(server, used.path)).location).toBe(used.url);
  for (const link of [dated, used]) {
    const page = await preview(link);
    expect(page).toMatchObject({ status: 200, location: undefined });
    expect(page.body).toContain(over);
    expect(page.body).not.toContain(link.url);
    expect((await visit(server, link.path)).location).toBe(over);
  }
  expect((await preview(limited)).body).not.toContain('example.com');
});

test('the preview of an expired link that leads nowhere says so', async () => {
  const page = await preview(await makeLink({ expiry: '2020-01-01 00:00:00' }));
  expect(page).toMatchObject({ status: 410, location: undefined });
});

test('the preview shows the winner of an A/B test once it has ended', async () => {
  const b = 'https://example.com/variant';
  const link = await makeLink({
    abtesting: [{ url: b, percentage: 50 }],
    testuntil: new Date(server.clock.now() + dayMs).toISOString().slice(0, 19),
    testwinner: b,
  });
  const during = await preview(link);
  expect(during.body).toContain(link.url);
  expect(during.body).toContain(depends);
  server.clock.advance(dayMs);
  const after = await preview(link);
  expect(after.body).toContain(b);
  expect(after.body).not.toContain(link.url);
  expect(after.body).not.toContain(depends);
  expect((await visit(server, link.path)).location).toBe(b);
});

test('the preview says that phones may be led to their store', async () => {
  const link = await makeLink({ deeplink: { apple: 'https://apps.apple.com/app/1' } });
  expect((await visit(server, link.path, { agent: 'iphone' })).location).toBe('https://apps.apple.com/app/1');
  const page = await preview(link);
  expect(page.body).toContain(link.url);
  expect(page.body).toContain(depends);
});
