import { expect, test } from 'vitest';
import { edgeAddresses } from '../../../server/network/fleet/edge-addresses.ts';

const own = ['192.0.2.7', '2001:db8::7'];

test('an edge that listens on all addresses reports those of its machine, ready for the DNS', () => {
  expect(edgeAddresses({ named: [], bound: ['0.0.0.0'], own, port: 80 })).toEqual(['192.0.2.7']);
  expect(edgeAddresses({ named: [], bound: ['0.0.0.0', '::'], own, port: 80 })).toEqual(own);
  expect(edgeAddresses({ named: [], bound: ['::'], own, port: 8080 })).toEqual([
    '192.0.2.7:8080',
    '[2001:db8::7]:8080',
  ]);
});

test('an edge behind a router reports the addresses given at its start', () => {
  expect(edgeAddresses({ named: ['203.0.113.7'], bound: ['0.0.0.0'], own, port: 8080 })).toEqual([
    '203.0.113.7',
  ]);
});
