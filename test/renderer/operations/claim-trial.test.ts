import UApp from '@nuxt/ui/components/App.vue';
import { expect, test } from 'vitest';
import { h, reactive } from 'vue';
import ClaimTrial from '../../../renderer/operations/single-sign-on/ClaimTrial.vue';
import { account, meta, openPage } from '../page.ts';

/** Opens the trial of these rows; what is returned can be changed as the form above it changes it. */
async function open(claims: { planClaim: string | null; teamClaim: string | null }) {
  const props = reactive({
    ...claims,
    plans: [{ value: 'all', planid: 3 }],
    teams: [{ value: 'all', team: 7, role: 'editor' as const }],
    planName: () => 'Pro',
    teamName: () => 'Rockets',
  });
  const page = await openPage((() => h(UApp, () => h(ClaimTrial, props))) as never, '/settings/sso', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
  });
  const type = (field: number, text: string) => {
    const input = document.querySelectorAll('input')[field];
    if (!input) throw new Error(`There is no field ${field}.`);
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return { page, props, type };
}

test('values of one claim do not apply to another', async () => {
  const { page, type } = await open({ planClaim: 'tier', teamClaim: 'groups' });
  expect(page.text()).toContain('Try values of “tier”');
  expect(page.text()).toContain('Try values of “groups”');
  type(0, 'all');
  await expect.poll(page.text).toContain('Plan Pro');
  expect(page.text()).not.toContain('Rockets as Editor');
  type(1, 'other, all');
  await expect.poll(page.text).toContain('Rockets as Editor');
});

test('a claim used twice is tried once, and rows without a claim grant nothing', async () => {
  const { page, props, type } = await open({ planClaim: 'groups', teamClaim: 'groups ' });
  expect(document.querySelectorAll('input')).toHaveLength(1);
  type(0, 'all');
  await expect.poll(page.text).toMatch(/Plan Pro.*Rockets as Editor/);
  props.teamClaim = null;
  await expect.poll(page.text).toContain('Enter the claim’s name');
  expect(page.text()).not.toContain('Rockets as Editor');
});
