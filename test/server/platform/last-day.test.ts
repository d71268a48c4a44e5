import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const live = (timezone: string) => server.request('PUT', '/api/account/update', { body: { timezone } });

test('an end on the last day of a calendar is shown as that wherever the account moves, and can be saved again', async () => {
  await live('Pacific/Pago_Pago');
  const key = { name: 'For ever', scopes: ['links:read'], expires: '9999-12-31' };
  expect((await server.request('POST', '/api/key/add', { body: key })).status).toBe(200);
  const link = { url: 'https://example.com/', custom: 'forever', expiry: '9999-12-31 23:59:59' };
  const { id } = (await server.request('POST', '/api/url/add', { body: link })).body;
  for (const timezone of ['UTC', 'Pacific/Kiritimati']) {
    await live(timezone);
    const { data } = (await server.request('GET', '/api/keys')).body;
    expect(data.keys[0].expires).toBe('9999-12-31 23:59:59');
    const [{ expiry }] = (await server.request('GET', '/api/urls')).body.data.urls;
    expect(expiry).toBe('9999-12-31 23:59:59');
    expect((await server.request('PUT', `/api/url/${id}/update`, { body: { expiry } })).status).toBe(200);
  }
  expect((await visit(server, '/forever')).status).toBe(302);
});
