import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeServer, featuresOf, isBaseContract } from '../../renderer/api/capabilities.ts';
import { apiClient, type Call, type ClientOptions } from '../../renderer/api/client.ts';
import { getAccount } from '../../server/contract/account.ts';
import { addCampaign, listCampaigns, updateCampaign } from '../../server/contract/campaigns.ts';
import { addDomain, listDomains } from '../../server/contract/domains.ts';
import { listFiles } from '../../server/contract/files.ts';
import { type BaseContractService, baseContractService } from '../support/base-contract-service.ts';

let service: BaseContractService;
let client: Call;
let storage: Storage;

function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  } as Storage;
}

/** The way of the desktop's main process, as short as it can be. */
function transportTo({ origin, key }: BaseContractService): ClientOptions['transport'] {
  return {
    async request(_id, { method, path, body }) {
      const response = await fetch(origin + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
      };
    },
  };
}

beforeEach(async () => {
  service = await baseContractService();
  client = apiClient({ transport: transportTo(service), instanceId: () => 'plain' });
  storage = memoryStorage();
});
afterEach(() => service.close());

describe('a server with only the published contract', () => {
  test('is recognized, and its features are detected within its rate limit', async () => {
    const meta = await describeServer(client, service.origin);
    expect(isBaseContract(meta)).toBe(true);
    expect(meta.name).toBe(new URL(service.origin).host);
    const features = await featuresOf(client, storage, 'features');
    expect([...features].sort()).toEqual([
      '2fa',
      'campaigns',
      'channels',
      'domains',
      'files',
      'overlays',
      'splash',
    ]);
    const asked = service.requests.length;
    expect(asked).toBeLessThan(15);
    expect(await featuresOf(client, storage, 'features')).toEqual(features);
    expect(service.requests).toHaveLength(asked);
  });

  test('is read in its reduced variants', async () => {
    expect((await client(getAccount)).data.username).toBe('plain');
    expect((await client(listCampaigns)).data.campaigns[0]).toMatchObject({ name: 'Spring sale' });
    expect((await client(listDomains)).data.domains[0]).toMatchObject({ domain: 'https://go.example.com' });
    expect(await client(listFiles)).toMatchObject({ result: 0, list: [] });
  });

  test('is written to, and its flat replies are understood', async () => {
    const added = await client(addCampaign, { body: { name: 'Summer' } });
    expect(added).toMatchObject({ campaign: 'Summer', public: false });
    const changed = await client(updateCampaign, { params: { id: added.id }, body: { name: 'Late summer' } });
    expect(changed).toMatchObject({ campaign: 'Late summer' });
    const domain = await client(addDomain, { body: { domain: 'new.example.com' } });
    expect(domain.id).toBeGreaterThan(0);
  });

  test('announces in its reset header how long a limit lasts', async () => {
    const limited = await baseContractService({ perMinute: 1 });
    try {
      const waits: number[] = [];
      const patient = apiClient({
        transport: transportTo(limited),
        instanceId: () => 'plain',
        onWait(wait) {
          waits.push(wait.seconds);
          queueMicrotask(wait.cancel);
          return () => {};
        },
      });
      await patient(getAccount);
      await expect(patient(getAccount)).rejects.toMatchObject({ kind: 'limited' });
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThan(30);
      expect(waits[0]).toBeLessThanOrEqual(61);
    } finally {
      await limited.close();
    }
  });
});
