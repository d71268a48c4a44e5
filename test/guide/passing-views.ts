import type { Page } from 'playwright';
import { firstStart, fleet, localAuthority } from './stand-in-replies.ts';
import { createOnce, edit, press } from './steps.ts';
import type { View } from './view.ts';

const team = '/team/{team}/settings/team';

/** Waits for a dialog to open. */
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor({ timeout: 15_000 });

/** What comes up in the middle of something else, or only once, or on an instance that is set up in another way. */
export const passingViews: readonly View[] = [
  { name: 'setup', path: '/setup', isSignedOut: true, prepare: firstStart },
  { name: 'sso-lost', path: '/signed-in', isSignedOut: true },
  { name: 'team-members', path: team },
  { name: 'team-invite', path: team, steps: press('user-plus'), form: 'teams/InviteDialog' },
  {
    name: 'team-invited',
    path: team,
    steps: async (page) => {
      await press('user-plus')(page);
      const [, id] = /\/team\/(\d+)\//.exec(page.url()) ?? [];
      await createOnce(page, (invitation) => `/team/${id}/invite/${invitation}/delete`);
    },
  },
  {
    name: 'team-delete',
    path: team,
    steps: async (page) => {
      await page.locator('main section').last().getByRole('button').last().click({ timeout: 15_000 });
      await dialog(page);
    },
    form: 'ProofDialog',
  },
  {
    name: 'keys-made',
    path: '/settings/keys',
    steps: async (page) => {
      await press('plus')(page);
      await page.getByRole('dialog').locator('input').first().fill('Till at the roastery');
      await createOnce(page, (id) => `/key/${id}/delete`);
    },
    form: 'NewKeyDialog',
  },
  {
    name: 'webhooks-made',
    path: '/settings/webhooks',
    steps: async (page) => {
      await press('plus')(page);
      await page
        .getByRole('dialog')
        .locator('input')
        .first()
        .fill('https://hooks.northwind-coffee.example/till');
      await createOnce(page, (id) => `/webhook/${id}/delete`);
    },
    form: 'WebhookSettings',
  },
  {
    name: 'link-cases',
    path: '/links/{tested}',
    steps: async (page) => {
      await press('flask-conical')(page);
      await page.getByRole('tab').nth(1).click({ timeout: 15_000 });
    },
  },
  {
    name: 'link-case-changes',
    path: '/links/{tested}',
    steps: async (page) => {
      await edit(page);
      await page.locator('#link-form textarea').first().fill('https://shop.northwind-coffee.example/autumn');
      await page.keyboard.press('Control+Enter');
      await page.locator('[role="dialog"] dl').first().waitFor({ timeout: 15_000 });
    },
    form: 'CaseChangesDialog',
  },
  {
    name: 'bio-preview',
    path: '/bio/1',
    steps: async (page) => {
      // Wide windows have it beside the page.
      if ((page.viewportSize()?.width ?? 0) < 1024) await press('smartphone')(page);
    },
    form: 'BioEditorPage',
  },
  {
    name: 'domains-trust',
    path: '/domains',
    prepare: localAuthority,
    steps: press('shield-check'),
    form: 'TrustDialog',
  },
  { name: 'fleet-edges', path: '/settings/fleet', prepare: fleet },
  {
    name: 'fleet-edge-form',
    path: '/settings/fleet',
    prepare: fleet,
    steps: press('plus'),
    form: 'AddEdgeSlideover',
  },
  {
    name: 'fleet-edge-made',
    path: '/settings/fleet',
    prepare: fleet,
    steps: async (page) => {
      await press('plus')(page);
      await page.getByRole('dialog').locator('input').first().fill('Singapore');
      await page.getByRole('dialog').locator('[type="submit"]').click({ timeout: 15_000 });
      await page.locator('[data-command]').waitFor({ timeout: 15_000 });
    },
    form: 'EdgeList',
  },
];
