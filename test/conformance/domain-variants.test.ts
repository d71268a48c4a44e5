import { describe, expect, test } from 'vitest';
import { apiClient } from '../../renderer/api/client.ts';
import {
  addDomain,
  deleteDomain,
  getDomain,
  listDomains,
  updateDomain,
} from '../../server/contract/domains.ts';

/** Our client before a server that answers this. */
function clientBefore(body: unknown) {
  return apiClient({
    transport: { request: async () => ({ status: 200, headers: {}, body }) } as never,
    instanceId: () => 'test',
  });
}

const reduced = { id: 4, domain: 'https://go.example.com', redirectroot: null, redirect404: null };
const page = { result: 1, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1 };

describe('the reduced variant', () => {
  test('of a domain in a list, with an error of 0 as text, is accepted by our client', async () => {
    const data = { ...page, domains: [reduced, { ...reduced, id: null, platform: true }] };
    expect(await clientBefore({ error: '0', data })(listDomains)).toEqual({ data });
  });

  test('of an added domain, only its id, is accepted by our client', async () => {
    const body = { domain: 'go.example.com' };
    expect(await clientBefore({ error: 0, id: 4 })(addDomain, { body })).toEqual({ id: 4 });
  });

  test('of an updated or deleted domain, only the message, is accepted by our client', async () => {
    const call = clientBefore({ error: 0, message: 'Done.' });
    expect(await call(updateDomain, { params: { id: 4 }, body: {} })).toEqual({ message: 'Done.' });
    expect(await call(deleteDomain, { params: { id: 4 } })).toEqual({ message: 'Done.' });
  });

  test('of one domain, without its states, is accepted by our client', async () => {
    expect(await clientBefore({ error: 0, data: reduced })(getDomain, { params: { id: 4 } })).toEqual({
      data: reduced,
    });
  });
});

test('unknown types of DNS records are accepted by our client', async () => {
  const data = { ...reduced, dns_type: 'fastly', dns_status: 1 };
  expect(await clientBefore({ error: 0, data })(getDomain, { params: { id: 4 } })).toEqual({ data });
});
