import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, canonicalAddress, isInRanges } from '../../../server/platform/http/addresses.ts';
import { startApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

test('addresses have one spelling, and other texts have none, however often they come', () => {
  for (let round = 0; round < 2; round += 1) {
    expect(canonicalAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(canonicalAddress('2001:DB8:0:0::1')).toBe('2001:db8::1');
    expect(canonicalAddress('no address')).toBe('');
    expect(canonicalAddress('')).toBe('');
    expect(canonicalAddress(`fe80::1%${'a'.repeat(100)}`)).toBe(`fe80::1%${'a'.repeat(100)}`);
  }
});

test('each list of ranges is checked by itself', () => {
  const home = ['10.0.0.0/8', '2001:db8::/32'];
  const office = ['192.0.2.1'];
  for (let round = 0; round < 2; round += 1) {
    expect(isInRanges('10.1.2.3', home)).toBe(true);
    expect(isInRanges('::ffff:10.1.2.3', home)).toBe(true);
    expect(isInRanges('2001:db8::5', home)).toBe(true);
    expect(isInRanges('192.0.2.1', home)).toBe(false);
    expect(isInRanges('10.1.2.3', office)).toBe(false);
    expect(isInRanges('192.0.2.1', office)).toBe(true);
    expect(isInRanges('no address', office)).toBe(false);
    expect(isInRanges('192.0.2.1', [])).toBe(false);
  }
});

test('the visitor is the last address that no trusted proxy has', () => {
  const proxies = ['127.0.0.1', '10.0.0.0/8'];
  expect(addressOf(requestFrom('::ffff:127.0.0.1', '192.0.2.7, 198.51.100.4, 10.0.0.9'), proxies)).toBe(
    '198.51.100.4',
  );
  expect(addressOf(requestFrom('127.0.0.1', '[2001:db8::1]:4711'), proxies)).toBe('2001:db8::1');
  expect(addressOf(requestFrom('203.0.113.5', '192.0.2.7'), proxies)).toBe('203.0.113.5');
  expect(addressOf(requestFrom('127.0.0.1', 'unknown'), proxies)).toBe('127.0.0.1');
  expect(addressOf(requestFrom('127.0.0.1', '192.0.2.7'), [])).toBe('127.0.0.1');
});

test('visitors with one browser are told apart by their addresses, and from the moment that a proxy is trusted', async () => {
  const app = await startApp();
  try {
    const { body } = await app.request('POST', '/api/url/add', { body: { url: 'https://example.com/to' } });
    const path = new URL(String(body.shorturl)).pathname;
    const follow = async (from: string) => {
      const headers = { 'X-Forwarded-For': from, 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };
      expect((await visit(app, path, { headers })).status).toBe(302);
    };
    const counted = async () => {
      const link = await app.request('GET', `/api/url/${body.id}`);
      return [link.body.data.clicks, link.body.data.uniqueClicks];
    };
    await follow('192.0.2.1');
    await follow('192.0.2.2');
    expect(await counted()).toEqual([2, 1]);
    await app.request('PUT', '/api/settings', { body: { trustedProxies: ['127.0.0.1'] } });
    await follow('192.0.2.1');
    await follow('192.0.2.2');
    await follow('192.0.2.1');
    expect(await counted()).toEqual([5, 3]);
    await app.request('PUT', '/api/settings', { body: { trustedProxies: [] } });
    await follow('192.0.2.3');
    expect(await counted()).toEqual([6, 3]);
  } finally {
    await app.close();
  }
});
