import { describe, expect, test } from 'vitest';
import {
  certificateState,
  daysUntil,
  dnsState,
  needsAttention,
  proofState,
  routingState,
} from '../../../renderer/content/domain-choice/domain-states.ts';
import { appFaults } from '../../../renderer/network/domains/app-lines.ts';
import {
  domainChangeOf,
  emptyDomainForm,
  formOfDomain,
  newDomainOf,
} from '../../../renderer/network/domains/domain-form.ts';
import { hostOf } from '../../../renderer/ui/addresses.ts';
import { type BrandedDomain, domainChange, newDomain } from '../../../server/contract/domains.ts';

const domain: BrandedDomain = {
  id: 4,
  domain: 'https://go.example.com',
  redirectroot: null,
  redirect404: null,
  bioid: null,
  logo: null,
  favicon: null,
  status: 1,
  dns_type: 'direct',
  dns_status: 1,
  ssl_status: 1,
  server_synced: 1,
  resolved_ip: '192.0.2.1',
  dns_checked_at: '2027-01-15 12:00:00',
  dns_failure_count: 0,
};
const reduced: BrandedDomain = { id: 4, domain: 'https://a.example', redirectroot: null, redirect404: null };

describe('the status of a domain', () => {
  test.each([
    [{}, 'here', 'good'],
    [{ dns_type: 'cloudflare' }, 'cloudflare', 'good'],
    [{ dns_failure_count: 2 }, 'unanswered', 'wait'],
    [{ dns_status: 0 }, 'elsewhere', 'bad'],
    [{ dns_status: 0, resolved_ip: null }, 'nowhere', 'bad'],
  ] as const)('of a DNS check with %j is: %s', (part, name, tone) => {
    expect(dnsState({ ...domain, ...part })).toEqual({ name, tone });
  });

  test.each([
    [{}, {}, 'active'],
    [{ server_synced: 0 }, {}, 'waiting'],
    [{ server_synced: 0 }, { proof: 'automatic' }, 'waiting'],
    [{ server_synced: 0 }, { proof: 'pending' }, 'unproved'],
    [{ status: 0 }, { disabled: false, proof: 'pending' }, 'givenUp'],
    [{ server_synced: 0 }, { disabled: true, proof: 'pending' }, 'disabled'],
    [{ status: 0 }, { disabled: true }, 'disabled'],
    [{ status: 0 }, { disabled: false }, 'givenUp'],
    [{ status: 0 }, {}, 'inactive'],
  ] as const)('of routing with %j and %j is: %s', (part, facts, name) => {
    expect(routingState({ ...domain, ...part }, facts).name).toBe(name);
  });

  test.each([
    [{}, {}, 'valid', 'good'],
    [{}, { daysLeft: 60 }, 'valid', 'good'],
    [{}, { daysLeft: 5 }, 'valid', 'wait'],
    [{}, { daysLeft: -1 }, 'ended', 'bad'],
    [{ ssl_status: 0 }, {}, 'pending', 'wait'],
    [{ ssl_status: 0 }, { hasFailed: true }, 'failed', 'bad'],
    [{ ssl_status: 0 }, { ssl: 'off' }, 'off', 'off'],
    [{}, { ssl: 'external' }, 'external', 'good'],
  ] as const)('of a certificate with %j and %j is: %s', (part, facts, name, tone) => {
    expect(certificateState({ ...domain, ...part }, facts)).toEqual({ name, tone });
  });

  test.each([
    ['proved', 'proved', 'good'],
    ['automatic', 'checkedSoon', 'wait'],
    ['pending', 'unproved', 'wait'],
  ] as const)('of a proof that is %s is: %s', (proof, name, tone) => {
    expect(proofState(proof)).toEqual({ name, tone });
  });

  test('is empty if the server does not report it', () => {
    const words = [dnsState(reduced), routingState(reduced), certificateState(reduced)].map(
      ({ name }) => name,
    );
    expect(words).toEqual(['unknown', 'unknown', 'unknown']);
    expect(needsAttention(reduced)).toBe(false);
  });

  test('needs attention if something is wrong, but not while its owner disabled it', () => {
    expect(needsAttention(domain)).toBe(false);
    expect(needsAttention(domain, { proof: 'pending' })).toBe(true);
    expect(needsAttention(domain, { proof: 'pending', disabled: true })).toBe(false);
    expect(needsAttention({ ...domain, dns_status: 0 })).toBe(true);
    expect(needsAttention({ ...domain, dns_status: 0 }, { disabled: true })).toBe(false);
    expect(needsAttention(domain, { daysLeft: -2 })).toBe(true);
  });

  test('counts whole days', () => {
    const now = Date.UTC(2027, 0, 15, 12);
    expect(daysUntil(new Date(now + 86_400_000 * 3 - 1), now)).toBe(2);
    expect(daysUntil(new Date(now - 1), now)).toBe(-1);
  });
});

describe('the form of a domain', () => {
  const fingerprint = Array.from({ length: 32 }, () => 'A0').join(':');

  test('sends only what was filled in', () => {
    expect(newDomainOf({ ...emptyDomainForm(), domain: ' go.example.com ' })).toEqual({
      domain: 'go.example.com',
    });
    const body = newDomainOf({ ...emptyDomainForm(), domain: 'a.example', platform: true, plans: [2] });
    expect(newDomain.parse(body)).toEqual({ domain: 'a.example', platform: true, plans: [2] });
  });

  const before = formOfDomain({ ...domain, redirectroot: 'https://example.com/', logo: '/img/domain/x.png' });

  test('sends nothing if nothing was changed', () => {
    expect(domainChangeOf({ ...before }, before)).toEqual({});
  });

  test.each([
    [{ root: 'none' }, { redirectroot: null }],
    [{ root: 'bio', bioid: 3 }, { bioid: 3 }],
    [{ redirectroot: 'https://example.com/new' }, { redirectroot: 'https://example.com/new' }],
    [{ redirect404: 'https://example.com/404' }, { redirect404: 'https://example.com/404' }],
    [{ redirectexpired: ' https://example.com/over ' }, { redirectexpired: 'https://example.com/over' }],
    [{ redirectearly: 'https://example.com/soon' }, { redirectearly: 'https://example.com/soon' }],
    [
      { appleapps: 'ABCDE12345.com.example.app /app/* /b\n\n' },
      { apps: { apple: [{ id: 'ABCDE12345.com.example.app', paths: ['/app/*', '/b'] }], android: [] } },
    ],
    [
      { androidapps: `com.example.app ${fingerprint}, ${fingerprint}` },
      {
        apps: {
          apple: [],
          android: [{ package: 'com.example.app', fingerprints: [fingerprint, fingerprint] }],
        },
      },
    ],
    [{ logo: 'https://example.com/l.png' }, { logo: 'https://example.com/l.png' }],
    [{ removeLogo: true, logo: 'https://example.com/l.png' }, { logo: null }],
    [{ favicon: 'https://example.com/f.png' }, { favicon: 'https://example.com/f.png' }],
  ] as const)('sends %j as %j', (part, change) => {
    const sent = domainChangeOf({ ...before, ...part }, before);
    expect(sent).toEqual(change);
    expect(domainChange.safeParse(sent).success).toBe(true);
  });

  test("shows a domain's apps as entered, and removes them all", () => {
    const apps = {
      apple: [{ id: 'ABCDE12345.com.example.app', paths: ['/app/*'] }],
      android: [{ package: 'com.example.app', fingerprints: [fingerprint] }],
    };
    const shown = formOfDomain({ ...domain, apps });
    expect(shown.appleapps).toBe('ABCDE12345.com.example.app /app/*');
    expect(shown.androidapps).toBe(`com.example.app ${fingerprint}`);
    expect(domainChangeOf({ ...shown }, shown)).toEqual({});
    expect(domainChangeOf({ ...shown, appleapps: ' ', androidapps: '' }, shown)).toEqual({ apps: null });
  });

  test('names the line of an invalid app', () => {
    const place = (line: number, message: string) => `${line}: ${message}`;
    const lines = { appleapps: 'ABCDE12345.com.example.app\ncom.example', androidapps: 'com.example.app' };
    expect(appFaults(lines, place)).toEqual([
      { name: 'appleapps', message: expect.stringMatching(/^2: Enter the app ID/) },
      { name: 'androidapps', message: expect.stringMatching(/^1: Enter at least one fingerprint/) },
    ]);
    expect(appFaults({ appleapps: '', androidapps: '' }, place)).toEqual([]);
  });

  test('removes a bio page together with its replacement', () => {
    const bound = formOfDomain({ ...domain, bioid: 3 });
    expect(domainChangeOf({ ...bound, root: 'none' }, bound)).toEqual({ redirectroot: null, bioid: null });
    const root = { ...bound, root: 'redirect' as const, redirectroot: 'https://example.com/' };
    expect(domainChangeOf(root, bound)).toEqual({ redirectroot: 'https://example.com/', bioid: null });
  });

  test('offers a platform domain to other plans, or to all', () => {
    const offered = formOfDomain({ ...domain, platform: true }, [1]);
    expect(domainChangeOf({ ...offered, plans: [1, 2] }, offered)).toEqual({ plans: [1, 2] });
    expect(domainChangeOf({ ...offered, plans: [] }, offered)).toEqual({ plans: null });
  });
});

test('a host is read from an address in any form', () => {
  expect(['https://go.example.com', 'http://localhost:8420/', 'go.example.com'].map(hostOf)).toEqual([
    'go.example.com',
    'localhost:8420',
    'go.example.com',
  ]);
});
