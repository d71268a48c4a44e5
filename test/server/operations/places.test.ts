import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examine } from '../../../server/operations/places/examine.ts';
import { geolocation, geolocationFrom } from '../../../server/visits/redirects/geolocation.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { mmdb } from '../../support/mmdb.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

const cities = mmdb('Example-City', [
  {
    range: '192.0.2.0/24',
    content: { country_code: 'DE', state1: 'Bavaria', city: 'Fürth' },
  },
  { range: '198.51.100.0/25', content: { country_code: 'PT', state1: 'Lisbon', city: 'Lisboa' } },
]);
const countries = mmdb('Example-Country', [{ range: '192.0.2.0/24', content: { country_code: 'AT' } }]);
const noCountries = mmdb('Example-ASN', [{ range: '192.0.2.0/24', content: { autonomous_system: 'x' } }]);

let folder: string;
let server: TestApp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  server = await startApp({ folder, trustedProxies: ['127.0.0.1'], geolocation: null });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const upload = (content: Buffer) => server.request('POST', '/api/places/upload', { rawBody: content });
const read = async () => (await server.request('GET', '/api/places')).body.data;

/** Where a visitor is taken to be, as a click tells it. */
async function cityOf(address: string): Promise<string> {
  const alias = `from-${address.replaceAll('.', '-')}-${Math.floor(server.clock.monotonic())}`;
  const { body } = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', custom: alias },
  });
  await visit(server, `/${alias}`, { headers: { 'X-Forwarded-For': address } });
  const { clicks } = (await server.request('GET', `/api/url/${body.id}/clicks`)).body.data;
  return `${clicks[0].country} ${clicks[0].city}`;
}

describe('the geolocation database', () => {
  test('is the bundled one by default, with its age and size', async () => {
    expect(await read()).toMatchObject({
      source: 'bundled',
      type: expect.stringMatching(/country/i),
      built: expect.stringMatching(/^20\d\d-/),
      regions: false,
      cities: false,
    });
    expect((await read()).places).toBeGreaterThan(100);
  });

  test('is replaced while running, kept over a restart, and removed again', async () => {
    await cityOf('192.0.2.7');
    const { status, body } = await upload(cities);
    expect([status, body.data]).toEqual([
      200,
      {
        source: 'uploaded',
        type: 'Example-City',
        built: '2023-11-14 22:13:20',
        bytes: cities.length,
        places: 2,
        regions: true,
        cities: true,
      },
    ]);
    // Also of somebody who was here before.
    server.clock.advance(1000);
    expect(await cityOf('192.0.2.7')).toBe('DE Fürth');
    await server.close();
    server = await startApp({ folder, trustedProxies: ['127.0.0.1'], geolocation: null });
    expect(await read()).toMatchObject({ source: 'uploaded', type: 'Example-City' });
    server.clock.advance(2000);
    expect(await cityOf('198.51.100.4')).toBe('PT Lisboa');

    expect((await server.request('DELETE', '/api/places/delete')).body.data.source).toBe('bundled');
    expect(existsSync(join(folder, 'places.mmdb'))).toBe(false);
    server.clock.advance(3000);
    expect(await cityOf('198.51.100.4')).not.toContain('Lisboa');
  });

  test.each([
    [Buffer.from('no database'), /not a geolocation database/],
    [Buffer.alloc(0), /Send the database file/],
    [cities.subarray(0, 400), /not a geolocation database|damaged/],
    [noCountries, /has no countries/],
  ])('is unchanged after an upload of %#, with the reason', async (content, message) => {
    await upload(countries);
    const { status, body } = await upload(content);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
    expect(await read()).toMatchObject({ source: 'uploaded', type: 'Example-Country' });
    expect(existsSync(join(folder, 'places.mmdb.new'))).toBe(false);
  });

  test('is refused if its tree contains a loop', () => {
    const looped = Buffer.from(cities);
    // The right record of the first node leads to the first node again.
    looped.writeUIntBE(0, 3, 3);
    expect(() => examine(looped)).toThrow('damaged');
  });

  test('is available to administrators only', async () => {
    const other = secondAccount(server, 'other');
    expect((await other.request('GET', '/api/places')).status).toBe(403);
    expect((await other.request('DELETE', '/api/places/delete')).status).toBe(403);
  });

  test('cannot be changed if one is given at the start', async () => {
    await upload(countries);
    const file = join(folder, 'started.mmdb');
    writeFileSync(file, cities);
    await server.close();
    server = await startApp({ folder, geolocation: geolocationFrom(file), trustedProxies: ['127.0.0.1'] });
    expect(await read()).toMatchObject({ source: 'started', type: 'Example-City' });
    expect((await upload(countries)).status).toBe(409);
    expect((await server.request('DELETE', '/api/places/delete')).status).toBe(409);
  });

  test('that is bundled can be read completely', () => {
    const { file = '' } = geolocation();
    const found = examine(readFileSync(file));
    expect(found.places).toBeGreaterThan(100);
    expect([found.regions, found.cities]).toEqual([false, false]);
  });
});
