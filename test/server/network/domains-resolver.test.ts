import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dnsCheck } from '../../../server/network/domains/dns-check.ts';
import { resolver } from '../../../server/network/domains/resolver.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

let names: NameServer;
beforeAll(async () => {
  names = await startNameServer();
});
beforeEach(() => {
  names.hosts.clear();
  names.questions.length = 0;
});
afterAll(() => names.close());

/** Milliseconds for one try, where tries are meant to fail. */
const short = 150;

const resolve = (host: string, timeoutMs = 2000) =>
  resolver({ servers: () => [names.address], timeoutMs }).resolve(host);

describe('looking up a host', () => {
  test('finds IPv4 and IPv6 addresses', async () => {
    names.hosts.set('go.test', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
    expect(await resolve('go.test')).toEqual({ outcome: 'found', addresses: ['192.0.2.1', '2001:db8::1'] });
  });

  test('follows aliases if the server does not', async () => {
    names.hosts.set('go.test', { CNAME: 'edge.test' });
    names.hosts.set('edge.test', { A: ['192.0.2.1'] });
    expect(await resolve('go.test')).toEqual({ outcome: 'found', addresses: ['192.0.2.1'] });
  });

  test('reads at most 16 addresses of a kind', async () => {
    names.hosts.set('go.test', { A: Array.from({ length: 40 }, (_, index) => `192.0.2.${index + 1}`) });
    expect((await resolve('go.test')).addresses).toHaveLength(16);
  });

  test.each([
    ['an unknown name', undefined],
    ['a name without addresses', {}],
    ['a name that is another name of itself', { CNAME: 'go.test' }],
  ])('finds nothing for %s', async (_what, behavior) => {
    if (behavior) names.hosts.set('go.test', behavior);
    expect(await resolve('go.test')).toEqual({ outcome: 'nothing', addresses: [] });
  });

  test('ends at a loop of names', async () => {
    names.hosts.set('go.test', { CNAME: 'a.test' });
    names.hosts.set('a.test', { CNAME: 'b.test' });
    names.hosts.set('b.test', { CNAME: 'a.test' });
    expect((await resolve('go.test')).outcome).toBe('nothing');
  });

  test('ends in an endless chain of names', async () => {
    for (let link = 0; link < 100; link += 1)
      names.hosts.set(`n${link}.test`, { CNAME: `n${link + 1}.test` });
    expect((await resolve('n0.test')).outcome).toBe('nothing');
    expect(names.questions.length).toBeLessThan(40);
  });

  test.each([
    ['SERVFAIL', { code: 2 }],
    ['REFUSED', { code: 5 }],
    ['silence', { silent: true }],
    ['an empty packet', { garbage: Buffer.alloc(0) }],
    ['noise', { garbage: Buffer.from('81800001ffff0000ffff00c00c', 'hex') }],
    ['a cut packet', { garbage: Buffer.from('8180000100010000', 'hex') }],
    ['a truncated answer whose rest nobody gives', { A: ['192.0.2.1'], truncated: true }],
    ['an answer that comes too late', { A: ['192.0.2.1'], delayMs: 1000 }],
  ])('treats %s as no reply, within two attempts', async (_what, behavior) => {
    names.hosts.set('go.test', behavior);
    const start = performance.now();
    expect((await resolve('go.test', short)).outcome).toBe('unanswered');
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('retries if the first query was lost', async () => {
    names.hosts.set('go.test', (asked) => (asked <= 2 ? { silent: true } : { A: ['192.0.2.1'] }));
    expect((await resolve('go.test', 500)).outcome).toBe('found');
  });
});

describe('the texts of a name', () => {
  const texts = (name: string, timeoutMs = 2000) =>
    resolver({ servers: () => [names.address], timeoutMs }).resolveTexts(name);

  test('are those of its TXT records, at most sixteen', async () => {
    names.hosts.set('_waypost.go.test', { TXT: ['one', 'another one'] });
    expect(await texts('_waypost.go.test')).toEqual(['one', 'another one']);
    names.hosts.set('_waypost.go.test', { TXT: Array.from({ length: 20 }, (_, index) => `text ${index}`) });
    expect(await texts('_waypost.go.test')).toHaveLength(16);
  });

  test.each([[{ code: 3 }], [{ code: 2 }], [{ silent: true }], [{ garbage: Buffer.from('!') }]])(
    'are empty if the name servers reply %j',
    async (behavior) => {
      names.hosts.set('_waypost.go.test', behavior);
      expect(await texts('_waypost.go.test', 200)).toEqual([]);
    },
  );
});

describe('checking where a host leads', () => {
  const check = (host: string, own: string[], timeoutMs = 2000) =>
    dnsCheck({
      resolver: resolver({ servers: () => [names.address], timeoutMs }),
      publicAddresses: () => own,
    })(host);

  test('accepts a host that leads to the service, in any notation of its address', async () => {
    names.hosts.set('go.test', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
    expect(await check('go.test', ['2001:0DB8:0::0001', '192.0.2.1'])).toEqual({
      outcome: 'passed',
      type: 'direct',
      address: '192.0.2.1',
    });
  });

  test('compares with the addresses of a host name', async () => {
    names.hosts.set('go.test', { CNAME: 'home.test' });
    names.hosts.set('home.test', { A: ['192.0.2.9'] });
    expect(await check('go.test', ['home.test'])).toMatchObject({ outcome: 'passed', type: 'direct' });
  });

  test("accepts a host behind Cloudflare's proxies", async () => {
    names.hosts.set('go.test', { A: ['104.16.1.1', '172.67.3.4'], AAAA: ['2606:4700::1'] });
    expect(await check('go.test', ['192.0.2.1'])).toMatchObject({ outcome: 'passed', type: 'cloudflare' });
  });

  test.each([
    ['elsewhere', { A: ['198.51.100.7'] }, '198.51.100.7'],
    ['here and elsewhere', { A: ['192.0.2.1', '198.51.100.7'] }, '198.51.100.7'],
    ['here by IPv4 and elsewhere by IPv6', { A: ['192.0.2.1'], AAAA: ['2001:db8::bad'] }, '2001:db8::bad'],
    ['into a private network', { A: ['10.0.0.5'] }, '10.0.0.5'],
    ['to the machine itself', { A: ['127.0.0.1'] }, '127.0.0.1'],
    ['nowhere', {}, null],
  ])('rejects a host that leads %s and names the address', async (_where, behavior, address) => {
    names.hosts.set('go.test', behavior);
    const verdict = await check('go.test', ['192.0.2.1']);
    expect(verdict).toMatchObject({ outcome: 'mismatch', address });
    expect('message' in verdict && verdict.message).toContain(address ?? 'does not resolve');
  });

  test('rejects every host while the service does not know its own address', async () => {
    names.hosts.set('go.test', { A: ['192.0.2.1'] });
    expect(await check('go.test', [])).toMatchObject({ outcome: 'mismatch', address: '192.0.2.1' });
  });

  test('says nothing about a host while the name servers are down', async () => {
    names.hosts.set('go.test', { silent: true });
    expect((await check('go.test', ['192.0.2.1'], short)).outcome).toBe('unanswered');
  });
});
