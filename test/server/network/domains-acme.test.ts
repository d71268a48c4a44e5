import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'acme-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DomainBench, startDomainBench, visit, visitSecurely } from '../../support/domain-bench.ts';
import { providePebble } from '../../support/provision.ts';
import { type SecondAccount, secondAccount } from '../../support/second-account.ts';

const day = 86_400_000;
const hasPebble = await providePebble();

describe.skipIf(!hasPebble)('a domain with certificates by ACME', () => {
  let bench: DomainBench;
  beforeAll(async () => {
    bench = await startDomainBench();
  });
  afterAll(() => bench.close());

  test('works from adding to a redirect over verified HTTPS', async () => {
    const { server, pebble } = bench;
    const id = await bench.add('brand.test');
    await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/landed', custom: 'go', domain: id },
    });
    expect(await bench.read(id)).toMatchObject({ server_synced: 0, ssl_status: 0 });
    await bench.sync();
    expect(await bench.events(id)).toEqual(['certificate_issued', 'activated', 'added']);
    expect(await bench.read(id)).toMatchObject({ status: 1, dns_status: 1, server_synced: 1, ssl_status: 1 });

    const root = await pebble.issuingRoot();
    const secure = await visitSecurely(server.httpsPort, 'brand.test', '/go', root);
    expect(secure.head).toContain('302 Found');
    expect(secure.head).toContain('Location: https://example.com/landed\r\n');
    expect(secure.certificate.subjectaltname).toBe('DNS:brand.test');

    expect(await visit(server.port, `brand.test:${server.port}`, '/go?a=b')).toEqual({
      status: 307,
      location: `https://brand.test:${server.httpsPort}/go?a=b`,
    });
    expect((await visit(server.port, 'brand.test', '/go')).location).toBe('https://brand.test/go');
    expect(bench.keyFiles()).toEqual([
      expect.stringMatching(/^account-\w+\.json$/),
      expect.stringMatching(/^account-\w+\.pem$/),
      `domain-${id}.pem`,
    ]);
    expect(JSON.stringify(server.logLines())).not.toContain('PRIVATE KEY');
  });

  test('serves neither the API nor the admin pages over HTTPS', async () => {
    const { server, pebble } = bench;
    const root = await pebble.issuingRoot();
    for (const path of ['/api/meta', '/api/account', '/admin/']) {
      const { head } = await visitSecurely(server.httpsPort, 'brand.test', path, root);
      expect(head).toContain(' 421 ');
    }
  });

  test('has no certificate for other names', async () => {
    const { server, pebble } = bench;
    const root = await pebble.issuingRoot();
    for (const name of ['other.test', 'sub.brand.test', 'localhost']) {
      await expect(visitSecurely(server.httpsPort, name, '/', root)).rejects.toThrow();
    }
  });

  test('is not redirected to HTTPS before its certificate exists', async () => {
    const id = await bench.add('early.test');
    expect((await visit(bench.server.port, 'early.test', '/x')).status).toBe(404);
    await bench.server.request('DELETE', `/api/domain/${id}/delete`);
  });

  test('answers unknown challenges with 404 on every host', async () => {
    const path = '/.well-known/acme-challenge/unknown';
    for (const host of ['brand.test', 'nobody.test', `localhost:${bench.server.port}`]) {
      expect((await visit(bench.server.port, host, path)).status).toBe(404);
    }
  });

  test('is refused with its current address while it leads elsewhere', async () => {
    await bench.pebble.point('elsewhere.test', '127.0.0.9');
    const reply = await bench.server.request('POST', '/api/domain/add', {
      body: { domain: 'elsewhere.test' },
    });
    expect([reply.status, reply.body.code, reply.body.data]).toEqual([
      400,
      'dns_mismatch',
      { resolved_ip: '127.0.0.9' },
    ]);
  });

  test('is renewed 30 days before expiry, and the new certificate is used immediately', async () => {
    const { server, pebble, clock } = bench;
    const id = await bench.add('renewed.test');
    await bench.sync();
    const root = await pebble.issuingRoot();
    const first = await visitSecurely(server.httpsPort, 'renewed.test', '/', root);
    const ends = Date.parse(first.certificate.valid_to);
    clock.advance(ends - clock.now() - 31 * day);
    await bench.sync();
    const still = await visitSecurely(server.httpsPort, 'renewed.test', '/', root);
    expect(still.certificate.serialNumber).toBe(first.certificate.serialNumber);
    clock.advance(2 * day);
    await bench.sync();
    const second = await visitSecurely(server.httpsPort, 'renewed.test', '/', root);
    expect(second.certificate.serialNumber).not.toBe(first.certificate.serialNumber);
    expect((await bench.events(id)).filter((event) => event === 'certificate_issued')).toHaveLength(2);
  });

  test('gets a new certificate if the authority has revoked the old one', async () => {
    const { server, pebble, clock } = bench;
    clock.advance(2 * 3_600_000);
    const id = await bench.add('revoked.test');
    await bench.sync();
    const root = await pebble.issuingRoot();
    const first = await visitSecurely(server.httpsPort, 'revoked.test', '/', root);
    const folder = join(server.folder, 'certificates');
    const kept = (end: string) =>
      bench.keyFiles().find((name) => /^account-/.test(name) && name.endsWith(end));
    const client = new Client({
      directoryUrl: pebble.directory,
      accountKey: readFileSync(join(folder, kept('.pem') ?? '')),
      accountUrl: JSON.parse(readFileSync(join(folder, kept('.json') ?? ''), 'utf8')).url,
    });
    const pem = readFileSync(join(folder, `domain-${id}.pem`), 'utf8');
    const leaf = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(pem)?.[0] ?? '';
    await client.revokeCertificate(leaf);
    clock.advance(day);
    await bench.sync();
    const second = await visitSecurely(server.httpsPort, 'revoked.test', '/', root);
    expect(second.certificate.serialNumber).not.toBe(first.certificate.serialNumber);
    expect((await bench.events(id)).slice(0, 2)).toEqual(['certificate_issued', 'certificate_revoked']);
  });

  test('is removed with its key when deleted', async () => {
    const { server, pebble, clock } = bench;
    clock.advance(2 * 3_600_000);
    const id = await bench.add('deleted.test');
    await bench.sync();
    expect(bench.keyFiles()).toContain(`domain-${id}.pem`);
    await server.request('DELETE', `/api/domain/${id}/delete`);
    expect(bench.keyFiles()).not.toContain(`domain-${id}.pem`);
    await expect(
      visitSecurely(server.httpsPort, 'deleted.test', '/', await pebble.issuingRoot()),
    ).rejects.toThrow();
    expect((await visit(server.port, 'deleted.test', '/')).status).toBe(404);
  });
});

// Of its own, without domains whose renewals come first.
describe.skipIf(!hasPebble)('ordering a certificate', () => {
  let bench: DomainBench;
  beforeAll(async () => {
    bench = await startDomainBench();
  });
  afterAll(() => bench.close());

  test('is limited to five an hour', async () => {
    bench.clock.advance(2 * 3_600_000);
    const ids: number[] = [];
    for (let count = 0; count < 7; count += 1) ids.push(await bench.add(`many${count}.test`));
    await bench.sync();
    const certified = async () => {
      const rows = await Promise.all(ids.map((id) => bench.read(id)));
      return rows.filter((row) => row.ssl_status === 1).length;
    };
    expect(await certified()).toBe(5);
    await bench.sync();
    expect(await certified()).toBe(5);
    bench.clock.advance(3_600_000);
    await bench.sync();
    expect(await certified()).toBe(7);
  });

  test('is shared: one account gets three of the five orders while others wait', async () => {
    const greedy = secondAccount(bench.server, 'greedy');
    bench.clock.advance(2 * 3_600_000);
    const add = async (ask: SecondAccount['request'], host: string): Promise<number> => {
      await bench.pebble.point(host, '127.0.0.1');
      return (await ask('POST', '/api/domain/add', { body: { domain: host } })).body.id;
    };
    for (let count = 0; count < 6; count += 1) await add(greedy.request, `greedy${count}.test`);
    await bench.sync();
    const certified = bench.server.databases.main
      .prepare("SELECT count(*) FROM domains WHERE ssl_status = 1 AND host LIKE 'greedy%'")
      .pluck();
    expect(certified.get()).toBe(3);
    const late = await add(bench.server.request, 'late.test');
    await bench.sync();
    expect(await bench.read(late)).toMatchObject({ ssl_status: 1 });
    expect(certified.get()).toBe(3);
    bench.clock.advance(3_600_000);
    await bench.sync();
    expect(certified.get()).toBe(6);
  });
});
