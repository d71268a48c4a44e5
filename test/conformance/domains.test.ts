import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejected } from '../../server/platform/errors.ts';
import { type RawReply, startApp, type TestApp } from '../support/app.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { type SecondAccount, secondAccount } from '../support/second-account.ts';

const own = '192.0.2.1';
const pictures = new Map<string, Buffer>();

let names: NameServer;
let server: TestApp;
let other: SecondAccount;
let free: SecondAccount;
beforeAll(async () => {
  names = await startNameServer();
  server = await startApp({
    settings: { publicAddresses: [own], dnsServers: [names.address] },
    fetcher: {
      async get(url, { maxBytes, field }) {
        const body = pictures.get(url);
        if (!body) throw rejected('unreachable_url', field, 'This address could not be fetched.');
        if (body.length > maxBytes) throw rejected('file_too_large', field, 'The file is too large.');
        return { body, type: 'image/png' };
      },
    },
  });
  other = secondAccount(server);
  free = secondAccount(server, 'fritz', 1);
  const flat = { width: 40, height: 20, channels: 3 as const, background: '#123456' };
  pictures.set(
    'https://pictures.test/logo.png',
    await sharp({ create: flat }).png({ compressionLevel: 0 }).toBuffer(),
  );
  pictures.set('https://pictures.test/icon.jpg', await sharp({ create: flat }).jpeg().toBuffer());
  pictures.set('https://pictures.test/page.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  pictures.set('https://pictures.test/large.png', Buffer.alloc(500_001));
  pictures.set('https://pictures.test/middling.png', Buffer.alloc(100_001));
  const small = await sharp({ create: flat }).png().toBuffer();
  for (const size of [500_000, 100_000]) {
    // What follows the end of a PNG belongs to the file, not to the picture.
    const full = Buffer.concat([small, Buffer.alloc(size - small.length)]);
    pictures.set(`https://pictures.test/${size}.png`, full);
  }
});
beforeEach(() => server.clock.advance(60_000));
afterAll(async () => {
  await server.close();
  await names.close();
});

let made = 0;
function newHost(): string {
  made += 1;
  names.hosts.set(`d${made}.example`, { A: [own] });
  return `d${made}.example`;
}
const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, { body });
const put = (id: number, body: unknown) => server.request('PUT', `/api/domain/${id}/update`, { body });
const remove = (id: number) => server.request('DELETE', `/api/domain/${id}/delete`);
const read = async (id: number) => (await get(`/api/domain/${id}`)).body.data;

async function add(fields: Record<string, unknown> = {}): Promise<number> {
  const reply = await post('/api/domain/add', { domain: newHost(), ...fields });
  expect([reply.status, reply.body.message]).toEqual([201, expect.any(String)]);
  return reply.body.id;
}

/** Runs the job and waits for its end. */
async function sync(): Promise<void> {
  await post('/api/domains/sync');
  await expect
    .poll(async () => (await get('/api/domains/sync')).body.data.running, { timeout: 10_000 })
    .toBe(false);
}

function expectRefusal(reply: RawReply, status: number, code: string, field?: string): void {
  const { body } = reply;
  expect([reply.status, body.error, body.code, body.field]).toEqual([status, 1, code, field]);
  expect(body.message).toMatch(/^\P{Cc}+\.$/u);
}

describe('adding a domain', () => {
  test('replies with 201, the published fields and nothing else', async () => {
    const host = newHost();
    const reply = await post('/api/domain/add', {
      domain: host,
      redirectroot: 'https://example.com/home',
      redirect404: 'https://example.com/lost',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      error: 0,
      id: expect.any(Number),
      message: expect.stringContaining('10 minutes'),
      data: {
        id: reply.body.id,
        domain: `https://${host}`,
        redirectroot: 'https://example.com/home',
        dns_type: 'direct',
        dns_status: 1,
        server_synced: 0,
        resolved_ip: own,
      },
    });
    expect(await read(reply.body.id)).toEqual({
      id: reply.body.id,
      domain: `https://${host}`,
      redirectroot: 'https://example.com/home',
      redirect404: 'https://example.com/lost',
      bioid: null,
      logo: null,
      favicon: null,
      status: 1,
      dns_type: 'direct',
      dns_status: 1,
      ssl_status: 0,
      server_synced: 0,
      resolved_ip: own,
      dns_checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      dns_failure_count: 0,
      // Ours.
      redirectexpired: null,
      redirectearly: null,
      apps: null,
      version: 1,
    });
  });

  test('accepts a domain behind Cloudflare', async () => {
    names.hosts.set('cloud.example', { A: ['104.16.1.2'] });
    const { body } = await post('/api/domain/add', { domain: 'cloud.example' });
    expect(body.data).toMatchObject({ dns_type: 'cloudflare', dns_status: 1, resolved_ip: '104.16.1.2' });
  });

  test.each([
    [{ A: ['198.51.100.9'] }, '198.51.100.9'],
    [{ AAAA: ['2001:db8::9'] }, '2001:db8::9'],
    [{ code: 3 }, null],
    [{ code: 2 }, null],
  ])('refuses a host that resolves to %j and reports the address', async (behavior, address) => {
    names.hosts.set('wrong.example', behavior);
    const reply = await post('/api/domain/add', { domain: 'wrong.example' });
    expectRefusal(reply, 400, 'dns_mismatch', 'domain');
    expect(reply.body.data).toEqual({ resolved_ip: address });
    if (address) expect(reply.body.message).toContain(address);
  });

  test.each([
    ['https://Upper.Example', 'upper.example'],
    ['HTTP://plain.example', 'plain.example'],
    [' spaces.example ', 'spaces.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ＦＵＬＬ.example', 'full.example'],
  ])('stores %j as https://%s', async (written, host) => {
    names.hosts.set(host, { A: [own] });
    const { body } = await post('/api/domain/add', { domain: written });
    expect(body.data?.domain).toBe(`https://${host}`);
  });

  test.each([
    '192.0.2.7',
    '127.1',
    '0x7f000001',
    '[2001:db8::1]',
    '2001:db8::1',
    'localhost',
    'my.localhost',
    'single',
    '*.example.com',
    'a.*.com',
    'go.example:8080',
    'go.example/path',
    'https://go.example/',
    'https://user@go.example',
    'go.example?x',
    'go.example#x',
    'trailing.example.',
    'under_score.example',
    '-dash.example',
    'dash-.example',
    'two..dots.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'go.example\u0000',
    'go .example',
    'go\n.example',
    'javascript:alert(1)',
    'xn--a.example',
    '%67o.example',
    '1.2.3.example.123',
    '',
  ])('refuses %j', async (domain) => {
    const reply = await post('/api/domain/add', { domain });
    expect([reply.status, reply.body.error]).toEqual([400, 1]);
  });

  test.each([5, null, true, ['go.example'], {}])('refuses the type %j', async (domain) => {
    expect((await post('/api/domain/add', { domain })).status).toBe(400);
  });

  test("refuses the instance's own host names", async () => {
    const reply = await startApp({ baseUrl: 'https://links.example' }).then(async (instance) => {
      const answer = await instance.request('POST', '/api/domain/add', { body: { domain: 'links.example' } });
      await instance.close();
      return answer;
    });
    expectRefusal(reply, 400, 'invalid_domain', 'domain');
  });

  test('accepts each host once, across users and spellings', async () => {
    names.hosts.set('xn--mxac.example', { A: [own] });
    const written = ['αβ.example', 'xn--mxac.example', 'https://xn--mxac.EXAMPLE', 'ΑΒ.EXAMPLE'];
    const asked = written.map((domain, index) =>
      (index % 2 ? other : server).request('POST', '/api/domain/add', { body: { domain } }),
    );
    const statuses = (await Promise.all(asked)).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expectRefusal(await post('/api/domain/add', { domain: 'αβ.example' }), 400, 'domain_taken', 'domain');
  });

  test.each([
    [{ redirectroot: 'javascript:alert(1)' }, 'invalid_url', 'redirectroot'],
    [{ redirect404: 'ftp://example.com' }, 'invalid_url', 'redirect404'],
    [{ redirectroot: 'https://a:b@example.com' }, 'invalid_url', 'redirectroot'],
    [{ redirectroot: 5 }, 'invalid_type', 'redirectroot'],
    [{ bioid: -1 }, 'invalid_value', 'bioid'],
    [{ bioid: 'x' }, 'invalid_type', 'bioid'],
    [{ bioid: 99 }, 'unknown_bio', 'bioid'],
    [{ bioid: 99, redirectroot: 'https://example.com/' }, 'exclusive', 'bioid'],
    [{ logo: 'https://pictures.test/none.png' }, 'unreachable_url', 'logo'],
    [{ logo: 'https://pictures.test/page.png' }, 'invalid_image', 'logo'],
    [{ logo: 'https://pictures.test/large.png' }, 'file_too_large', 'logo'],
    [{ favicon: 'https://pictures.test/middling.png' }, 'file_too_large', 'favicon'],
  ])('refuses %j and adds nothing', async (fields, code, field) => {
    const before = (await get('/api/domains')).body.data.result;
    expectRefusal(await post('/api/domain/add', { domain: newHost(), ...fields }), 400, code, field);
    expect((await get('/api/domains')).body.data.result).toBe(before);
  });

  test('refuses URLs that lead back to the same domain', async () => {
    const host = newHost();
    const reply = await post('/api/domain/add', { domain: host, redirectroot: `https://${host}/x` });
    expectRefusal(reply, 400, 'loop', 'redirectroot');
  });

  test.each([{ bioid: 0 }, { bioid: null }])('accepts redirectroot together with %j', async (none) => {
    const id = await add({ redirectroot: 'https://example.com/', ...none });
    expect(await read(id)).toMatchObject({ redirectroot: 'https://example.com/', bioid: null });
  });

  test('requires the plan, and bio pages theirs, before anything is looked up', async () => {
    const domain = newHost();
    const asked = names.questions.length;
    expectRefusal(
      await free.request('POST', '/api/domain/add', { body: { domain } }),
      403,
      'plan_required',
      'domain',
    );
    server.databases.main
      .prepare(
        'UPDATE plans SET features = json_set(features, \'$.domain\', json(\'{"enabled":true,"count":1}\')) WHERE id = 1',
      )
      .run();
    expectRefusal(
      await free.request('POST', '/api/domain/add', { body: { domain, bioid: 1 } }),
      403,
      'plan_required',
      'bio',
    );
    expect(names.questions.length).toBe(asked);
    expect((await free.request('POST', '/api/domain/add', { body: { domain } })).status).toBe(201);
    const second = await free.request('POST', '/api/domain/add', { body: { domain: newHost() } });
    expectRefusal(second, 403, 'plan_required', 'domain');
  });
});

describe('the pictures of a domain', () => {
  test('are re-encoded, served from here, replaced and removed', async () => {
    const id = await add({
      logo: 'https://pictures.test/logo.png',
      favicon: 'https://pictures.test/icon.jpg',
    });
    const { logo, favicon } = await read(id);
    expect(logo).toMatch(/^\/img\/domain\/[\w-]{22}\.png$/);
    expect(favicon).toMatch(/^\/img\/domain\/[\w-]{22}\.jpg$/);
    const shown = await fetch(server.origin + logo);
    expect([
      shown.status,
      shown.headers.get('content-type'),
      shown.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/png', 'nosniff']);
    expect(Buffer.from(await shown.arrayBuffer())).not.toEqual(
      pictures.get('https://pictures.test/logo.png'),
    );
    await put(id, { logo: 'https://pictures.test/icon.jpg', favicon: null });
    const after = await read(id);
    expect([after.logo.endsWith('.jpg'), after.favicon]).toEqual([true, null]);
    expect((await fetch(server.origin + logo)).status).toBe(404);
  });

  test('can be as large as the contract says: 500 KB for a logo, 100 KB for a favicon', async () => {
    const logo = 'https://pictures.test/500000.png';
    const favicon = 'https://pictures.test/100000.png';
    const id = await add({ logo, favicon });
    const shown = await read(id);
    expect([shown.logo, shown.favicon]).toEqual([expect.any(String), expect.any(String)]);
    expectRefusal(await put(id, { favicon: logo }), 400, 'file_too_large', 'favicon');
    expect(await read(id)).toEqual(shown);
  });
});

describe('updating a domain', () => {
  test('replies with the published fields and keeps omitted ones', async () => {
    const id = await add({ redirectroot: 'https://example.com/a', redirect404: 'https://example.com/b' });
    const reply = await put(id, { redirectroot: 'https://example.com/c' });
    const { domain } = await read(id);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        error: 0,
        message: 'The domain was updated.',
        data: { id, domain, redirectroot: 'https://example.com/c' },
        // Ours.
        version: 2,
      },
    ]);
    expect((await read(id)).redirect404).toBe('https://example.com/b');
    await put(id, { redirectroot: null, redirect404: '' });
    expect(await read(id)).toMatchObject({ redirectroot: null, redirect404: null });
  });

  test('ignores the host and all read-only fields', async () => {
    const id = await add();
    const before = await read(id);
    const change = {
      domain: 'else.example',
      id: 1,
      status: 0,
      dns_status: 0,
      ssl_status: 1,
      server_synced: 1,
      resolved_ip: '203.0.113.1',
      dns_failure_count: 9,
      user_id: 2,
      active: 1,
    };
    expect((await put(id, change)).status).toBe(200);
    expect(await read(id)).toEqual(before);
  });

  test.each([{ bioid: 0 }, { bioid: null }])('treats %j as no bio page', async (none) => {
    expect((await put(await add(), none)).status).toBe(200);
  });

  test('refuses a bio page that does not exist, and one together with redirectroot', async () => {
    const id = await add();
    expectRefusal(await put(id, { bioid: 7 }), 400, 'unknown_bio', 'bioid');
    const both = { bioid: 7, redirectroot: 'https://example.com/' };
    expectRefusal(await put(id, both), 400, 'exclusive', 'bioid');
  });

  test.each([
    [{ redirectroot: 'javascript:alert(1)' }, 'invalid_url', 'redirectroot'],
    [{ redirect404: 'no address' }, 'invalid_url', 'redirect404'],
    [{ redirect404: 5 }, 'invalid_type', 'redirect404'],
    [{ redirectexpired: 'javascript:alert(1)' }, 'invalid_url', 'redirectexpired'],
    [{ redirectearly: 'no address' }, 'invalid_url', 'redirectearly'],
    [{ bioid: -1 }, 'invalid_value', 'bioid'],
    [{ disabled: 1 }, 'invalid_type', 'disabled'],
    [{ logo: 'https://pictures.test/large.png' }, 'file_too_large', 'logo'],
    [{ favicon: 'https://pictures.test/page.png' }, 'invalid_image', 'favicon'],
    [{ plans: [999] }, 'unknown_plan', 'plans'],
  ])('refuses %j and changes nothing', async (wrong, code, field) => {
    const id = await add({ redirectroot: 'https://example.com/a' });
    const before = await read(id);
    expectRefusal(await put(id, { redirect404: 'https://example.com/b', ...wrong }), 400, code, field);
    expect(await read(id)).toEqual(before);
  });

  test('refuses a URL on the same domain', async () => {
    const id = await add();
    const { domain } = await read(id);
    for (const field of ['redirect404', 'redirectexpired', 'redirectearly']) {
      expectRefusal(await put(id, { [field]: `${domain}/x` }), 400, 'loop', field);
    }
  });

  test('disables and enables it', async () => {
    const id = await add();
    await sync();
    await put(id, { disabled: true });
    expect((await read(id)).status).toBe(0);
    await put(id, { disabled: false });
    expect((await read(id)).status).toBe(1);
    const { log } = (await get(`/api/domain/${id}/log`)).body.data;
    expect(log.map((entry: { event: string }) => entry.event)).toEqual([
      'enabled',
      'disabled',
      'activated',
      'added',
    ]);
  });
});

describe('checking a domain', () => {
  test('refreshes the four fields immediately, even if it fails', async () => {
    const id = await add();
    const { domain } = await read(id);
    const first = await post(`/api/domain/${id}/check`);
    expect(first.body).toEqual({
      error: 0,
      message: expect.any(String),
      data: {
        id,
        dns_type: 'direct',
        dns_status: 1,
        resolved_ip: own,
        dns_checked_at: (await read(id)).dns_checked_at,
      },
    });
    names.hosts.set(domain.slice(8), { A: ['198.51.100.1'] });
    server.clock.advance(5000);
    const second = await post(`/api/domain/${id}/check`);
    expect(second.status).toBe(200);
    expect(second.body.data).toMatchObject({ dns_status: 0, resolved_ip: '198.51.100.1' });
    expect(second.body.data.dns_checked_at > first.body.data.dns_checked_at).toBe(true);
    expect((await read(id)).dns_failure_count).toBe(1);
  });

  test('logs what it found, as a sentence and as facts', async () => {
    const id = await add();
    const host = (await read(id)).domain.slice(8);
    const newest = async () => (await get(`/api/domain/${id}/log?limit=1`)).body.data.log[0];
    expect(await newest()).toMatchObject({ event: 'added', details: { address: own } });
    names.hosts.set(host, { A: ['198.51.100.1'] });
    await post(`/api/domain/${id}/check`);
    expect(await newest()).toMatchObject({
      event: 'dns_failed',
      message: expect.stringContaining('198.51.100.1'),
      details: { reason: 'elsewhere', address: '198.51.100.1' },
    });
    names.hosts.set(host, {});
    server.clock.advance(5000);
    await post(`/api/domain/${id}/check`);
    expect(await newest()).toMatchObject({ event: 'dns_failed', details: { reason: 'unresolved' } });
    await remove(id);
  });

  test('keeps the last good state while the name servers are silent, and counts the failures', async () => {
    const id = await add();
    const { domain } = await read(id);
    names.hosts.set(domain.slice(8), { code: 2 });
    await post(`/api/domain/${id}/check`);
    expect(await read(id)).toMatchObject({ dns_status: 1, resolved_ip: own, dns_failure_count: 1 });
  });

  test('sets the status to 0 after ten failures in a row, and back to 1 after a success', async () => {
    const id = await add();
    const host = (await read(id)).domain.slice(8);
    names.hosts.set(host, {});
    for (let failure = 1; failure <= 10; failure += 1) {
      expect((await read(id)).status).toBe(1);
      await post(`/api/domain/${id}/check`);
    }
    expect(await read(id)).toMatchObject({ status: 0, dns_failure_count: 10, resolved_ip: null });
    names.hosts.set(host, { A: [own] });
    await post(`/api/domain/${id}/check`);
    expect(await read(id)).toMatchObject({ status: 1, dns_failure_count: 0, resolved_ip: own });
  });
});

describe('the list of domains', () => {
  test('has the published envelope and is paged', async () => {
    const account = secondAccount(server, 'lists');
    for (let count = 0; count < 3; count += 1) {
      await account.request('POST', '/api/domain/add', { body: { domain: newHost() } });
    }
    const { body } = await account.request('GET', '/api/domains?limit=2&page=1');
    expect(body).toEqual({
      error: 0,
      data: { result: 3, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 2, domains: expect.any(Array) },
    });
    expect(body.data.domains).toHaveLength(2);
    // The published ones, and three of ours.
    expect(Object.keys(body.data.domains[0])).toHaveLength(19);
    const last = await account.request('GET', '/api/domains?limit=2&page=9');
    expect([last.body.data.domains, last.body.data.nextpage]).toEqual([[], null]);
    expect((await account.request('GET', '/api/domains?limit=x')).status).toBe(400);
  });

  test('shows only what the account may use', async () => {
    await add();
    const account = secondAccount(server, 'alone');
    expect((await account.request('GET', '/api/domains')).body.data).toMatchObject({
      result: 0,
      domains: [],
    });
  });

  test('shows platform domains without an id on plans that include them', async () => {
    const everybody = await add({ platform: true });
    const pro = await add({ platform: true, plans: [2] });
    const platformOf = async (account: SecondAccount) =>
      (await account.request('GET', '/api/domains?limit=100')).body.data.domains.filter(
        (domain: { platform?: boolean }) => domain.platform === true,
      );
    const shown = await platformOf(other);
    expect(shown.map((domain: { id: unknown }) => domain.id)).toEqual([null, null]);
    expect(await platformOf(free)).toHaveLength(1);
    const mine = (await get('/api/domains/platform')).body.data.domains;
    expect(mine.map((domain: { id: number; plans: unknown }) => [domain.id, domain.plans])).toEqual([
      [pro, [2]],
      [everybody, null],
    ]);
    const link = { url: 'https://example.com/', domain: shown[0].domain };
    expect((await other.request('POST', '/api/url/add', { body: link })).status).toBe(200);
    expect((await free.request('POST', '/api/url/add', { body: link })).body.code).toBe('unknown_domain');
    const refused = await other.request('POST', '/api/domain/add', {
      body: { domain: newHost(), platform: true },
    });
    expectRefusal(refused, 403, 'administrator_required');
    expect((await other.request('DELETE', `/api/domain/${pro}/delete`)).status).toBe(404);
    for (const id of [everybody, pro]) expect((await remove(id)).status).toBe(200);
  });
});

describe('a platform domain', () => {
  test('is read, assigned to plans and deleted by administrators', async () => {
    const id = await add({ platform: true, plans: [2] });
    expect(await read(id)).toMatchObject({ id, platform: true });
    const plansOf = async () => {
      const { domains } = (await get('/api/domains/platform')).body.data;
      return domains.find((domain: { id: number }) => domain.id === id)?.plans;
    };
    await put(id, { redirectroot: 'https://example.com/' });
    expect(await plansOf()).toEqual([2]);
    await put(id, { plans: [1, 2] });
    expect(await plansOf()).toEqual([1, 2]);
    await put(id, { plans: null });
    expect(await plansOf()).toBeNull();
    expect((await remove(id)).status).toBe(200);
    expect((await get(`/api/domain/${id}`)).status).toBe(404);
  });

  test('can be neither read nor changed by anyone else', async () => {
    const id = await add({ platform: true });
    for (const [method, path] of [
      ['GET', `/api/domain/${id}`],
      ['GET', `/api/domain/${id}/log`],
      ['PUT', `/api/domain/${id}/update`],
      ['POST', `/api/domain/${id}/check`],
    ] as const) {
      expect((await other.request(method, path, { body: method === 'GET' ? undefined : {} })).status).toBe(
        404,
      );
    }
    expect((await other.request('GET', '/api/domains/platform')).status).toBe(403);
    await remove(id);
  });
});

describe('the log of a domain', () => {
  test('is paged, newest first, with the next run', async () => {
    const id = await add();
    await put(id, { disabled: true });
    await put(id, { disabled: false });
    const { body } = await get(`/api/domain/${id}/log?limit=2`);
    const entry = { id: expect.any(Number), date: expect.any(String), details: {} };
    expect(body.data).toEqual({
      result: 3,
      perpage: 2,
      currentpage: 1,
      nextpage: 2,
      maxpage: 2,
      log: [
        { ...entry, event: 'enabled', message: 'Enabled by its owner.' },
        { ...entry, event: 'disabled', message: 'Disabled by its owner.' },
      ],
      disabled: false,
      nextcheck: null,
      certificate: { expires: null, nextattempt: null },
    });
    await sync();
    expect((await get(`/api/domain/${id}/log`)).body.data.nextcheck).toMatch(/^\d{4}-\d\d-\d\d /);
  });
});

describe('the domains of others', () => {
  test('are 404 in every path and remain unchanged', async () => {
    const id = await add();
    const before = await read(id);
    for (const [method, path, body] of [
      ['GET', `/api/domain/${id}`, undefined],
      ['GET', `/api/domain/${id}/log`, undefined],
      ['PUT', `/api/domain/${id}/update`, { redirectroot: 'https://evil.example/' }],
      ['POST', `/api/domain/${id}/check`, undefined],
      ['DELETE', `/api/domain/${id}/delete`, undefined],
    ] as const) {
      const foreign = await other.request(method, path, { body });
      const missing = await other.request(method, path.replace(String(id), '999999'), { body });
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
    expect(await read(id)).toEqual(before);
  });

  test.each(['0', '-1', '01', '1e3', '9007199254740992', 'null', '1%00'])(
    'cannot have an id such as %s',
    async (id) => {
      expect((await get(`/api/domain/${id}`)).status).toBe(404);
    },
  );
});

describe('deleting a domain', () => {
  test('detaches links and campaigns, and stops its routing immediately', async () => {
    const id = await add();
    await sync();
    const host = (await read(id)).domain.slice(8);
    const link = (
      await post('/api/url/add', { url: 'https://example.com/kept', custom: 'bound', domain: id })
    ).body;
    const campaign = (await post('/api/campaign/add', { name: 'Bound', domain: id })).body;
    await post('/api/url/add', { url: 'https://example.com/first', custom: 'twice' });
    const twin = (
      await post('/api/url/add', { url: 'https://example.com/second', custom: 'twice', domain: id })
    ).body;
    expect((await visit(host, '/bound')).status).toBe(302);

    const reply = await remove(id);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['error', 'message']]);
    expect((await visit(host, '/bound')).status).toBe(404);
    expect((await get(`/api/domain/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await get(`/api/url/${link.id}`)).body.details.shorturl).toBe(`${server.origin}/bound`);
    expect((await get(`/api/campaign/${campaign.id}`)).body.data.campaign.domain).toBeNull();
    expect((await get(`/api/url/${twin.id}`)).body.details.alias).toBe('twice-2');
    expect((await get('/api/urls?q=twice-2')).body.data.result).toBe(1);
    const moved = await visit('localhost', '/twice-2');
    expect(moved.headers.get('location')).toBe('https://example.com/second');
  });
});

describe('a domain that was never activated', () => {
  test('is deleted like any other', async () => {
    const id = await add();
    expect(await read(id)).toMatchObject({ server_synced: 0 });
    expect((await remove(id)).status).toBe(200);
    expect((await get(`/api/domain/${id}`)).status).toBe(404);
  });
});

describe('the domain job', () => {
  test('is for administrators, and reports its last and next run', async () => {
    expect((await other.request('GET', '/api/domains/sync')).status).toBe(403);
    expect((await other.request('POST', '/api/domains/sync')).status).toBe(403);
    await sync();
    expect((await get('/api/domains/sync')).body.data).toEqual({
      running: false,
      interval: 10,
      laststarted: expect.any(String),
      lastfinished: expect.any(String),
      outcome: 'done',
      nextrun: null,
      checked: expect.any(Number),
      activated: expect.any(Number),
      failed: 0,
      certificates: 0,
      ssl: 'off',
      own: null,
    });
  });

  test('activates a new domain, whose links then work', async () => {
    const id = await add({
      redirectroot: 'https://example.com/root',
      redirect404: 'https://example.com/404',
    });
    const host = (await read(id)).domain.slice(8);
    await post('/api/url/add', { url: 'https://example.com/', custom: 'here', domain: id });
    expect((await visit(host, '/here')).status).toBe(404);
    await sync();
    expect(await read(id)).toMatchObject({ server_synced: 1, status: 1 });
    expect((await visit(host, '/here')).headers.get('location')).toBe('https://example.com/');
    expect((await visit(host, '/')).headers.get('location')).toBe('https://example.com/root');
    expect((await visit(host, '/unknown')).headers.get('location')).toBe('https://example.com/404');
    await put(id, { disabled: true });
    expect((await visit(host, '/here')).status).toBe(404);
  });

  test('never serves the API or admin pages on a branded domain', async () => {
    const id = await add();
    await sync();
    const host = (await read(id)).domain.slice(8);
    for (const path of ['/api/account', '/api/meta', '/api', '/admin', '/admin/', '/admin/index.html']) {
      for (const name of [host, host.toUpperCase(), `${host}:${server.port}`, `${host}:80`]) {
        const reply = await visit(name, path, { authorization: `Bearer ${server.key}` });
        expect([path, name, reply.status]).toEqual([path, name, 421]);
        expect(reply.body).not.toContain('anna');
      }
    }
  });
});

/** A request with any Host, which fetch would not send. */
async function visit(host: string, path: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Headers; body: string }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, headers: { ...headers, host }, agent: false },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            body,
          }),
        );
      },
    );
    sent.on('error', reject).end();
  });
}
