import { describe, expect, test } from 'vitest';
import { apiClient } from '../../renderer/api/client.ts';
import { addCampaign, listCampaigns, updateCampaign } from '../../server/contract/campaigns.ts';
import { getChannel, updateChannel } from '../../server/contract/channels.ts';
import { listOverlays } from '../../server/contract/overlays.ts';

/** Our client before a server that answers this. */
function clientBefore(body: unknown) {
  return apiClient({
    transport: { request: async () => ({ status: 200, headers: {}, body }) } as never,
    instanceId: () => 'test',
  });
}

const metrics = { result: 1, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1 };
const flat = {
  id: 3,
  campaign: 'Spring',
  public: false,
  rotator: 'https://go.example.com/r/spring',
  list: 'https://go.example.com/u/anna/list-3',
};

describe('the reduced variant', () => {
  test('of a created or updated campaign is accepted by our client', async () => {
    const call = clientBefore({ error: 0, ...flat });
    expect(await call(addCampaign, { body: { name: 'Spring' } })).toEqual(flat);
    expect(await call(updateCampaign, { params: { id: 3 }, body: { name: 'Spring' } })).toEqual(flat);
  });

  test('of a campaign in a list is accepted by our client', async () => {
    const { campaign: name, ...entry } = flat;
    const data = { ...metrics, campaigns: [{ ...entry, name, rotator: false }] };
    expect(await clientBefore({ error: '0', data })(listCampaigns)).toEqual({ data });
  });

  test('of an updated channel, only the message, is accepted by our client', async () => {
    const call = clientBefore({ error: 0, message: 'Changed.' });
    expect(await call(updateChannel, { params: { id: 1 }, body: {} })).toEqual({ message: 'Changed.' });
  });
});

test('items of all three types are accepted by our client', async () => {
  const item = { id: 1, title: 'T', preview: 'P', link: 'https://go.example.com/x', date: '2027-01-15' };
  const items = ['links', 'bio', 'qr'].map((type) => ({ type, ...item }));
  const data = { ...metrics, items };
  expect(await clientBefore({ error: 0, data })(getChannel, { params: { id: 1 } })).toEqual({ data });
});

test('overlays of unknown types are accepted by our client', async () => {
  const data = { ...metrics, cta: [{ id: 1, type: 'survey', name: 'S', date: '2027-01-15 12:00:00' }] };
  expect(await clientBefore({ error: 0, data })(listOverlays)).toEqual({ data });
});
