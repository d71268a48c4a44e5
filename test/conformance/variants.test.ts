import { describe, expect, test } from 'vitest';
import { apiClient } from '../../renderer/api/client.ts';
import { getAccount } from '../../server/contract/account.ts';
import { listFiles } from '../../server/contract/files.ts';
import { listKeys } from '../../server/contract/keys.ts';

/** Our client before a server that answers this. */
function clientBefore(body: unknown) {
  return apiClient({
    transport: { request: async () => ({ status: 200, headers: {}, body }) } as never,
    instanceId: () => 'test',
  });
}

describe('the reduced variant', () => {
  test('of the account is accepted by our client', async () => {
    const data = {
      id: 1,
      email: 'a@example.com',
      username: 'a',
      avatar: 'https://example.com/a.png',
      status: 'pro',
      expires: '2027-01-01 00:00:00',
      registered: '2026-01-01 00:00:00',
    };
    expect(await clientBefore({ error: 0, data })(getAccount)).toEqual({ data });
  });
});

describe('an error of 0 as text', () => {
  test('is a success for our client', async () => {
    const data = { result: 0, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, keys: [] };
    expect(await clientBefore({ error: '0', data })(listKeys)).toEqual({ data });
  });

  test('of a list of files is a success for our client', async () => {
    const file = {
      id: 4,
      name: 'Report',
      downloads: 7,
      shorturl: 'https://go.example.com/abc',
      date: '2026-01-01 00:00:00',
    };
    const body = { result: 1, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, list: [file] };
    expect(await clientBefore({ error: '0', ...body })(listFiles)).toEqual(body);
  });
});
