import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';
import { secondAccount } from '../../support/second-account.ts';

const own = ['192.0.2.1', '2001:db8::1'];
let names: NameServer;
let server: TestApp;
beforeAll(async () => {
  names = await startNameServer();
  server = await startApp({ ratelimit: 10_000 });
});
beforeEach(() => {
  names.hosts.clear();
  names.hosts.set('example.co.uk', { zone: true });
  return change({ publicAddresses: own, dnsServers: [names.address] });
});
afterAll(async () => {
  await server.close();
  await names.close();
});

const change = async (body: object) => {
  expect((await server.request('PUT', '/api/settings', { body })).status).toBe(200);
};
const preview = (domain: string) =>
  server.request('GET', `/api/domains/setup?domain=${encodeURIComponent(domain)}`);
const setupOf = async (domain: string) => (await preview(domain)).body.data;

describe('the DNS records that a host needs', () => {
  test("are address records for each address of the service, under the zone's name", async () => {
    names.hosts.set('go.example.co.uk', { A: ['198.51.100.4'] });
    expect(await setupOf('https://Go.Example.co.uk')).toEqual({
      domain: 'go.example.co.uk',
      zone: 'example.co.uk',
      apex: false,
      records: [
        { type: 'A', name: 'go', value: '192.0.2.1' },
        { type: 'AAAA', name: 'go', value: '2001:db8::1' },
      ],
      alternative: [],
      resolved: ['198.51.100.4'],
      outcome: 'mismatch',
      message:
        'go.example.co.uk resolves to 198.51.100.4, which is not this server. Change its DNS record and try again.',
      details: { reason: 'elsewhere', address: '198.51.100.4' },
      proof: {
        state: 'pending',
        lapses: null,
        record: {
          type: 'TXT',
          name: '_waypost.go',
          value: expect.stringMatching(/^waypost-verify=[0-9a-f]{32}$/),
        },
        file: {
          url: expect.stringMatching(/^http:\/\/go\.example\.co\.uk\/\.well-known\/waypost\/[0-9a-f]{32}$/),
          content: expect.stringMatching(/^waypost-verify=[0-9a-f]{32}$/),
        },
      },
    });
  });

  test('are a CNAME to the service if it has a name, or its addresses', async () => {
    await change({ publicAddresses: ['links.example.net', ...own] });
    expect(await setupOf('a.b.example.co.uk')).toMatchObject({
      zone: 'example.co.uk',
      records: [{ type: 'CNAME', name: 'a.b', value: 'links.example.net' }],
      alternative: [
        { type: 'A', name: 'a.b' },
        { type: 'AAAA', name: 'a.b' },
      ],
      resolved: [],
      outcome: 'mismatch',
    });
  });

  test('are not a CNAME at the top of a zone', async () => {
    await change({ publicAddresses: ['links.example.net'] });
    names.hosts.set('links.example.net', { A: ['192.0.2.8'] });
    expect(await setupOf('example.co.uk')).toMatchObject({
      zone: 'example.co.uk',
      apex: true,
      records: [{ type: 'A', name: '@', value: '192.0.2.8' }],
      alternative: [{ type: 'ALIAS', name: '@', value: 'links.example.net' }],
    });
  });

  test('do not treat a name that leads elsewhere as a zone', async () => {
    names.hosts.set('go.example.co.uk', { zone: true, CNAME: 'elsewhere.test' });
    names.hosts.set('elsewhere.test', { zone: true, A: ['192.0.2.1'] });
    expect(await setupOf('go.example.co.uk')).toMatchObject({ zone: 'example.co.uk', apex: false });
  });

  test('are guessed from the form of the name while no name server responds', async () => {
    expect(await setupOf('go.unknown.test')).toMatchObject({ zone: 'unknown.test', apex: false });
    expect(await setupOf('unknown.test')).toMatchObject({ zone: 'unknown.test', apex: true });
  });

  test('are empty while the service does not know its own address', async () => {
    await change({ publicAddresses: [] });
    expect(await setupOf('go.example.co.uk')).toMatchObject({ records: [], alternative: [] });
  });

  test('are returned if the name servers say so, or are silent', async () => {
    names.hosts.set('go.example.co.uk', { A: ['192.0.2.1'] });
    expect(await setupOf('go.example.co.uk')).toMatchObject({ outcome: 'passed', resolved: ['192.0.2.1'] });
    names.hosts.set('go.example.co.uk', { code: 2 });
    expect(await setupOf('go.example.co.uk')).toMatchObject({ outcome: 'unanswered', resolved: [] });
  });

  test.each(['localhost', '192.0.2.1', 'go.example.com/x', ''])('are not returned for %j', async (domain) => {
    const reply = await preview(domain);
    expect([reply.status, reply.body.field]).toEqual([400, 'domain']);
  });

  test('are returned again for an added domain, to its owner only', async () => {
    names.hosts.set('mine.example.co.uk', { A: ['192.0.2.1'] });
    const { id } = (
      await server.request('POST', '/api/domain/add', { body: { domain: 'mine.example.co.uk' } })
    ).body;
    expect((await preview('mine.example.co.uk')).body.code).toBe('domain_taken');
    const { body } = await server.request('GET', `/api/domain/${id}/setup`);
    expect(body.data).toMatchObject({ domain: 'mine.example.co.uk', outcome: 'passed' });
    const other = secondAccount(server, 'setups');
    expect((await other.request('GET', `/api/domain/${id}/setup`)).status).toBe(404);
  });
});

describe('the records on domains', () => {
  test("are counted in the order of the list, limited to one's own", async () => {
    const add = async (domain: string, fields = {}) => {
      names.hosts.set(domain, { A: ['192.0.2.1'] });
      return (await server.request('POST', '/api/domain/add', { body: { domain, ...fields } })).body.id;
    };
    const first = await add('first.example.co.uk');
    await add('shared.example.co.uk', { platform: true });
    const other = secondAccount(server, 'counts');
    const link = { url: 'https://example.com/', domain: 'shared.example.co.uk' };
    expect((await other.request('POST', '/api/url/add', { body: link })).status).toBe(200);
    for (const custom of ['one', 'two', 'gone']) {
      await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/', custom, domain: first },
      });
    }
    const { body: found } = await server.request('GET', '/api/urls?q=gone');
    await server.request('DELETE', `/api/url/${found.data.urls[0].id}/delete`);
    await server.request('POST', '/api/campaign/add', { body: { name: 'Spring', domain: first } });

    const hosts = (await server.request('GET', '/api/domains?limit=100')).body.data.domains;
    const { domains } = (await server.request('GET', '/api/domains/overview?limit=100')).body.data;
    expect(domains.map((use: { domain: string }) => use.domain)).toEqual(
      hosts.map((row: { domain: string }) => row.domain),
    );
    expect(domains[0]).toEqual({
      domain: 'https://first.example.co.uk',
      links: 2,
      files: 0,
      bios: 0,
      campaigns: 1,
      disabled: false,
      proof: 'automatic',
      expires: null,
    });
    expect(domains.at(-1)).toMatchObject({ domain: 'https://shared.example.co.uk', links: 0 });
    const page = await server.request('GET', '/api/domains/overview?limit=1&page=2');
    expect(page.body.data.domains).toEqual([domains[1]]);
  });
});
