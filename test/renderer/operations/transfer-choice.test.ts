import UApp from '@nuxt/ui/components/App.vue';
import { expect, test } from 'vitest';
import { h } from 'vue';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import type { LinkRow } from '../../../renderer/operations/transfer/rows.ts';
import TransferChoice from '../../../renderer/operations/transfer/TransferChoice.vue';
import TransferTable from '../../../renderer/operations/transfer/TransferTable.vue';
import { useTransferStore } from '../../../renderer/operations/transfer/transfer-store.ts';
import { newLink } from '../../../server/contract/links.ts';
import { account, meta, openPage, settle } from '../page.ts';

const list = (name: string, rows: object[]) => ({
  body: {
    error: 0,
    data: { result: rows.length, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, [name]: rows },
  },
});

test('copying from a team says beforehand what happens to its members', async () => {
  const described = meta(false);
  described.body.data.features.push('teams', 'campaigns', 'channels');
  const rockets = { id: 21, name: 'Rockets', role: 'editor', own_only: false, members: 3 };
  const page = await openPage((() => h(UApp, () => h(TransferChoice))) as never, '/transfer', {
    'GET /api/meta': described,
    'GET /api/account': { body: { error: 0, data: account } },
    'GET /api/teams': list('teams', [{ ...rockets, created: '2026-11-01 10:00:00' }]),
    'GET /api/campaigns': list('campaigns', []),
    'GET /api/channels': list('channels', []),
  });
  const common = { color: 'teal', signedIn: true };
  useInstanceStore().list = [
    { ...common, id: 'local', name: 'Here', kind: 'local', origin: 'https://here.example' },
    { ...common, id: 'far', name: 'Far', kind: 'remote', origin: 'https://far.example' },
  ];
  const choice = () => document.querySelector('[aria-label="Account to copy from"]');
  await expect.poll(choice).not.toBeNull();
  expect(choice()?.textContent).toContain('Your personal account');
  expect(page.text()).not.toContain('Members, roles');
  useTransferStore().sourceTeam = { id: 21, name: 'Rockets' };
  await settle();
  expect(choice()?.textContent).toContain('Rockets');
  expect(page.text()).toContain('Members, roles, invitations and who created what are not copied.');
  expect(page.text()).toContain('belongs to your personal account.');
});

test('the checkbox above the rows skips those that may only seem to exist', async () => {
  const row = (id: number, more: Pick<LinkRow, 'state' | 'reason' | 'anyway'>): LinkRow => ({
    kind: 'links',
    key: `links ${id}`,
    name: `Link ${id}`,
    detail: `https://example.com/${id}`,
    address: `here.example/a${id}`,
    notes: [],
    draft: newLink.parse({ url: `https://example.com/${id}` }),
    campaign: undefined,
    channels: [],
    ...more,
  });
  const rows: LinkRow[] = [
    row(1, { state: 'new' }),
    row(2, { state: 'exists', reason: 'sameDestination', anyway: 'create' }),
  ];
  await openPage((() => h(UApp, () => h(TransferTable, { rows }))) as never, '/transfer', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
  });
  const job = useTransferStore();
  const box = () => document.querySelector<HTMLElement>('thead [role=checkbox]');
  const press = async () => {
    box()?.click();
    await settle();
  };
  const ticked = () => rows.map((each) => job.isTicked(each));
  expect(ticked()).toEqual([true, false]);
  await expect.poll(() => box()?.getAttribute('aria-checked')).toBe('true');
  await press();
  expect([ticked(), box()?.getAttribute('aria-checked')]).toEqual([[false, false], 'false']);
  await press();
  expect([ticked(), box()?.getAttribute('aria-checked')]).toEqual([[true, false], 'true']);
});
