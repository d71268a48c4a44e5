import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geolocation, geolocationFrom } from '../../../server/visits/redirects/geolocation.ts';
import { startApp } from '../../support/app.ts';
import { mmdb } from '../../support/mmdb.ts';
import { visit } from '../../support/visits.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-places-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, content: Buffer | string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const cities = () =>
  written(
    'cities.mmdb',
    mmdb('Example-City', [
      {
        range: '192.0.2.0/24',
        content: {
          country: { iso_code: 'DE', names: { en: 'Germany' } },
          subdivisions: [{ iso_code: 'BE', names: { en: 'State of Berlin', de: 'Berlin' } }],
          city: { names: { en: 'Berlin', fr: 'Berlin' } },
        },
      },
      {
        range: '198.51.100.0/25',
        content: { country_code: 'PT', state1: 'Lisbon', city: 'Lisboa' },
      },
      { range: '203.0.113.7/32', content: { country: { iso_code: 'FR', names: { en: 'France' } } } },
      { range: '203.0.113.8/32', content: { country: 7, city: ['x'] } },
      { range: '203.0.113.9/32', content: { country_code: 'IS', city: 'R'.repeat(200) } },
    ]),
  );

describe("locations from an administrator's database", () => {
  test.each([
    ['192.0.2.1', { country: 'DE', region: 'State of Berlin', regionCode: 'DE-BE', city: 'Berlin' }],
    ['198.51.100.1', { country: 'PT', region: 'Lisbon', regionCode: '', city: 'Lisboa' }],
    ['198.51.100.200', { country: '', region: '', regionCode: '', city: '' }],
    ['203.0.113.7', { country: 'FR', region: '', regionCode: '', city: '' }],
    ['203.0.113.8', { country: '', region: '', regionCode: '', city: '' }],
    ['203.0.113.9', { country: 'IS', region: '', regionCode: '', city: 'R'.repeat(100) }],
    ['2001:db8::1', { country: '', region: '', regionCode: '', city: '' }],
    ['nonsense', { country: '', region: '', regionCode: '', city: '' }],
  ])('are found: %s', (address, place) => {
    expect(geolocationFrom(cities()).find(address)).toEqual(place);
  });

  test('are available with or without cities', () => {
    expect(geolocationFrom(cities()).knowsCities).toBe(true);
    const countries = written('countries.mmdb', mmdb('Example-Country', []));
    expect(geolocationFrom(countries).knowsCities).toBe(false);
    expect(geolocation().knowsCities).toBe(false);
  });

  test('are refused with the file name if it is not such a database', () => {
    for (const file of [join(folder, 'missing.mmdb'), written('noise.mmdb', 'no database'), folder]) {
      expect(() => geolocationFrom(file)).toThrow(`"${file}" cannot be read as a geolocation database`);
    }
  });
});

test('rules and statistics have region and continent if the database does', async () => {
  const server = await startApp({ geolocation: geolocationFrom(cities()), trustedProxies: ['127.0.0.1'] });
  try {
    const rules = [
      { conditions: [{ type: 'region', value: 'state of berlin' }], link: 'https://example.com/region' },
      { conditions: [{ type: 'continent', value: 'Europe' }], link: 'https://example.com/europe' },
    ];
    const made = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom: 'where', rules },
    });
    const leadsTo = async (address: string) =>
      (await visit(server, '/where', { headers: { 'X-Forwarded-For': address } })).location;
    expect(await leadsTo('192.0.2.44')).toBe('https://example.com/region');
    expect(await leadsTo('198.51.100.4')).toBe('https://example.com/europe');
    expect(await leadsTo('10.1.1.1')).toBe('https://example.com/');
    const { dimensions } = (await server.request('GET', `/api/url/${made.body.id}/stats`)).body.data;
    expect(dimensions.region).toContainEqual({ value: 'State of Berlin', clicks: 1, uniqueclicks: 1 });
    expect(dimensions.continent[0]).toEqual({ value: 'EU', clicks: 2, uniqueclicks: 2 });
    const filtered = await server.request('GET', `/api/url/${made.body.id}/stats?region=Lisbon`);
    expect(filtered.body.data.clicks).toBe(1);
  } finally {
    await server.close();
  }
});

test("rules can use the visitor's city if it is known, and the click records it", async () => {
  const server = await startApp({ geolocation: geolocationFrom(cities()), trustedProxies: ['127.0.0.1'] });
  try {
    const rules = [
      { conditions: [{ type: 'city', op: 'is', value: 'berlin' }], link: 'https://example.com/berlin' },
    ];
    const made = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom: 'where', rules },
    });
    const from = (address: string) => visit(server, '/where', { headers: { 'X-Forwarded-For': address } });
    expect((await from('192.0.2.44')).headers.location).toBe('https://example.com/berlin');
    expect((await from('198.51.100.4')).headers.location).toBe('https://example.com/');
    const { body } = await server.request('POST', `/api/url/${made.body.id}/simulate`, {
      body: { ip: '192.0.2.44' },
    });
    expect(body.data).toMatchObject({ rule: 0, link: 'https://example.com/berlin' });
    expect(body.data.steps[0].why).toContain('The city is Berlin');
    expect(body.data.steps[0].why).not.toContain('for real visits');
    const clicks = async () =>
      (await server.request('GET', `/api/url/${made.body.id}/clicks`)).body.data.clicks.map(
        ({ city }: { city: string }) => city,
      );
    await expect.poll(async () => (await clicks()).length).toBe(2);
    expect(await clicks()).toEqual(['Lisboa', 'Berlin']);
  } finally {
    await server.close();
  }
});

test('rules accept a region by name and by code, if the database has codes', async () => {
  const server = await startApp({ geolocation: geolocationFrom(cities()), trustedProxies: ['127.0.0.1'] });
  const linkFor = async (custom: string, condition: object) => {
    const rules = [{ conditions: [{ type: 'region', ...condition }], link: 'https://example.com/met' }];
    const body = { url: 'https://example.com/not', custom, rules };
    return (await server.request('POST', '/api/url/add', { body })).body.id;
  };
  const end = async (custom: string, address: string) =>
    (await visit(server, `/${custom}`, { headers: { 'X-Forwarded-For': address } })).location?.slice(20);
  const simulated = async (id: number, visitor: object) =>
    (await server.request('POST', `/api/url/${id}/simulate`, { body: visitor })).body.data.link.slice(20);
  const [berlin, lisbon] = ['192.0.2.44', '198.51.100.4'];
  try {
    const id = await linkFor('coded', { value: 'de-BE' });
    expect([await end('coded', berlin), await end('coded', lisbon)]).toEqual(['met', 'not']);
    expect(await simulated(id, { ip: berlin })).toBe('met');
    expect(await simulated(id, { region: 'DE-BE' })).toBe('met');
    expect(await simulated(id, { region: 'DE-BY' })).toBe('not');
    // What looks like a code may be a part of a name.
    const part = await linkFor('part', { op: 'startswith', value: 'Al-Qa' });
    expect(await simulated(part, { region: 'Al-Qassim' })).toBe('met');
    await linkFor('mixed', { op: 'in', value: ['US-CA', 'DE-BE', 'Lisbon'] });
    expect([await end('mixed', berlin), await end('mixed', lisbon)]).toEqual(['met', 'met']);
    await linkFor('others', { op: 'notin', value: ['DE-BE', 'Bavaria'] });
    expect([await end('others', berlin), await end('others', lisbon)]).toEqual(['not', 'met']);
  } finally {
    await server.close();
  }
});
