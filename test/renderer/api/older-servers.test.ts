import { describe, expect, test } from 'vitest';
import { readReply } from '../../../renderer/api/client.ts';
import { needsAttention } from '../../../renderer/content/domain-choice/domain-states.ts';
import { getBio } from '../../../server/contract/bio.ts';
import { domainOverview, getDomainSetup, previewDomain } from '../../../server/contract/domains.ts';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import { getInstance } from '../../../server/contract/instance.ts';
import { getOverlay } from '../../../server/contract/overlays.ts';

// A desktop reads servers that are older than itself: what a reply got since then is missing in theirs.

const read = (endpoint: AnyEndpoint, data: object) =>
  readReply(endpoint, { status: 200, headers: {}, body: { error: 0, data } });

const setup = {
  domain: 'go.example.com',
  zone: 'example.com',
  apex: false,
  records: [],
  alternative: [],
  resolved: [],
  outcome: 'passed',
  message: 'It leads here.',
};

describe('a server from before domains were proved', () => {
  test.each([
    ['before one is added', previewDomain],
    ['after it was added', getDomainSetup],
  ])('tells what a domain needs, %s', (_when, endpoint) => {
    expect(read(endpoint, setup)).toMatchObject({ data: setup });
  });

  test('counts what is on its domains, of which none waits for a proof', () => {
    const use = {
      domain: 'https://go.example.com',
      links: 1,
      files: 0,
      bios: 0,
      campaigns: 0,
      disabled: false,
      expires: null,
    };
    const { data } = read(domainOverview, { domains: [use] }) as { data: { domains: (typeof use)[] } };
    expect(data.domains).toEqual([use]);
    expect('proof' in (data.domains[0] ?? {})).toBe(false);
  });

  test('has domains that need nothing while they work', () => {
    const domain = {
      id: 1,
      domain: 'https://go.example.com',
      redirectroot: null,
      redirect404: null,
      status: 1,
      dns_status: 1,
      ssl_status: 1,
      server_synced: 1,
    } as const;
    expect(needsAttention(domain, { proof: undefined })).toBe(false);
  });
});

test('a server without limits of forms shows its overlays and bio pages', () => {
  const colors = { background: '#FFFFFF', text: '#000000', button: '#000000', buttontext: '#FFFFFF' };
  const overlay = { id: 1, name: 'News', type: 'message', position: 'top', colors, content: { text: 'Hi' } };
  expect(read(getOverlay, { ...overlay, date: '2027-01-15 12:00:00' })).toMatchObject({ data: overlay });
  expect(getBio.reply.shape.data.shape.limitreached.safeParse(undefined).success).toBe(true);
});

test('a server that does not look for damage tells of the rest of its state', () => {
  const data = { lostvisits: 0, disk: 'ok', freebytes: null, clockdoubtedsince: null };
  expect(read(getInstance, data)).toMatchObject({ data });
});
