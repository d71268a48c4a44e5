import { desktopViews } from './desktop-views.ts';
import { passingViews } from './passing-views.ts';
import {
  choose,
  chooseForSelected,
  edit,
  first,
  icon,
  meetOther,
  openForm,
  openSection,
  press,
  uploadPictures,
} from './steps.ts';
import type { View } from './view.ts';

const lists = [
  'links',
  'campaigns',
  'channels',
  'qr-codes',
  'bio',
  'files',
  'overlays',
  'splash',
  'pixels',
  'domains',
];
const forms: Readonly<Record<string, string>> = {
  links: 'LinkFormSlideover',
  campaigns: 'CampaignSlideover',
  channels: 'ChannelSlideover',
  'qr-codes': 'QrSlideover',
  bio: 'BioSlideover',
  overlays: 'OverlaySlideover',
  splash: 'SplashSlideover',
  pixels: 'PixelSlideover',
  domains: 'AddDomainSlideover',
};
const sections = [
  'profile',
  'preferences',
  'security',
  'privacy',
  'team',
  'keys',
  'webhooks',
  'users',
  'plans',
];
const administration = ['instance', 'sso', 'mail', 'backups', 'sharing', 'fleet', 'about'];
/** Sections of the form of a new link, by their place among the closed ones. */
const [planned, rules] = [0, 4];

/** Every page and form of the app; a test compares them with the routes and the dialogs that there are. */
export const views: readonly View[] = [
  {
    name: 'date-picker',
    path: '/links',
    steps: async (page) => {
      await openSection(page, planned);
      await page.locator('#link-form [aria-haspopup="dialog"]').first().click({ timeout: 15_000 });
      await page.locator('[data-reka-calendar-cell-trigger]').first().waitFor({ timeout: 15_000 });
    },
  },
  {
    name: 'planned-days',
    path: '/links',
    steps: async (page) => {
      await openSection(page, planned);
      await page.locator('[id="link-form"] [aria-haspopup="dialog"]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'rule-test',
    path: '/links',
    steps: async (page) => {
      await openSection(page, rules);
      await page.locator('#link-form textarea').first().fill('https://example.com/');
      const section = page.locator('#link-form [data-state="open"]').last();
      await section.getByRole('button').last().click({ timeout: 15_000 });
      await section.locator('input[inputmode="url"]').fill('https://example.com/de');
      await section.locator('[aria-expanded="false"]').last().click({ timeout: 15_000 });
      await page.locator('#link-form section').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'bulk-menu',
    path: '/links',
    steps: async (page) => {
      // Keys do nothing before there are rows to select and campaigns to choose from.
      await page.locator('tbody input[type="checkbox"]').first().waitFor({ timeout: 15_000 });
      await page.keyboard.press('a');
      await page
        .locator(`main button:has(${icon('megaphone')}):has(${icon('chevron-down')})`)
        .waitFor({ timeout: 15_000 });
      await page.keyboard.press('m');
      await page.getByRole('menuitem').first().waitFor({ timeout: 15_000 });
    },
  },
  {
    name: 'links-plan',
    path: '/links',
    steps: chooseForSelected('calendar-clock'),
    form: 'PlannedDayDialog',
  },
  { name: 'links-move', path: '/links', steps: chooseForSelected('arrow-right-left'), form: 'MoveDialog' },
  {
    name: 'links-view',
    path: '/links?q=coffee',
    steps: async (page) => {
      await page
        .locator(`main [aria-haspopup="menu"]:has(${icon('chevron-down')})`)
        .first()
        .click({ timeout: 15_000 });
      await page.locator(`[role="menuitem"]:has(${icon('bookmark-plus')})`).click({ timeout: 15_000 });
      await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
    },
    form: 'ViewMenu',
  },
  {
    name: 'links-qr',
    path: '/links',
    steps: async (page) => {
      // A row draws its own button.
      await page.locator('main tbody [aria-haspopup="menu"]').first().click({ timeout: 15_000 });
      await page
        .locator(`[role="menuitem"]:has(${icon('qr-code')})`)
        .first()
        .click({ timeout: 15_000 });
      await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
    },
    form: 'QrDialog',
  },
  { name: 'qr-download', path: '/qr-codes', steps: choose('download'), form: 'QrDownload' },
  { name: 'overview', path: '/overview' },
  {
    name: 'menu',
    path: '/links',
    steps: async (page) => {
      // Wide windows have it beside the page.
      const toggle = page.locator('[data-slot="toggle"]:visible').first();
      if ((page.viewportSize()?.width ?? 0) >= 1024) return;
      await toggle.click({ timeout: 15_000 });
      await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
    },
  },
  {
    name: 'comparison',
    path: '/compare?of=link-1&of=link-2&of=link-3&of=campaign-1&of=channel-1&period=90d&compare=previous',
  },
  { name: 'comparison-empty', path: '/compare' },
  ...lists.flatMap((name): View[] => [
    { name, path: `/${name}` },
    // That of files is the system's own.
    ...(name === 'files'
      ? []
      : [{ name: `${name}-form`, path: `/${name}`, steps: openForm, form: forms[name] }]),
  ]),
  { name: 'link', path: '/links', steps: first('links'), at: '/links/1' },
  { name: 'link-edit', path: '/links/1', steps: edit },
  { name: 'link-conflict', path: '/links/2', steps: meetOther },
  { name: 'link-simulate', path: '/links/1', steps: press('flask-conical'), form: 'SimulatorSlideover' },
  { name: 'file-edit', path: '/files', steps: choose('pencil'), form: 'FileSlideover' },
  { name: 'pixel', path: '/pixels', steps: first('pixels'), at: '/pixels/1' },
  { name: 'overlay-answers', path: '/overlays/1/answers' },
  { name: 'domain', path: '/domains', steps: first('domains'), at: '/domains/1' },
  { name: 'users-form', path: '/settings/users', steps: press('plus'), form: 'UserSlideover' },
  { name: 'users-invite', path: '/settings/users', steps: press('mail-plus'), form: 'users/InviteDialog' },
  { name: 'users-remove', path: '/settings/users', steps: choose('trash-2'), form: 'RemoveUserDialog' },
  { name: 'plans-form', path: '/settings/plans', steps: press('plus'), form: 'PlanSlideover' },
  { name: 'keys-form', path: '/settings/keys', steps: press('plus'), form: 'KeySlideover' },
  { name: 'webhooks-form', path: '/settings/webhooks', steps: press('plus'), form: 'WebhookSlideover' },
  { name: 'webhooks-log', path: '/settings/webhooks', steps: choose('history'), form: 'DeliveryLog' },
  { name: 'team-create', path: '/settings/team', steps: press('plus'), form: 'CreateTeamDialog' },
  { name: 'team-join', path: '/settings/team', steps: press('ticket'), form: 'JoinDialog' },
  {
    name: 'backup-restore',
    path: '/settings/backups',
    steps: choose('archive-restore'),
    form: 'RestoreDialog',
  },
  { name: 'compare-pick', path: '/compare', steps: press('link'), form: 'LinkPicker' },
  {
    name: 'shortcuts',
    path: '/links',
    steps: async (page) => {
      // Nobody listens to the keys before the page is there.
      await page.locator('tbody input[type="checkbox"]').first().waitFor({ timeout: 15_000 });
      await page.keyboard.press('?');
      await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
    },
    form: 'ShortcutsHelp',
  },
  { name: 'sign-in', path: '/sign-in', isSignedOut: true },
  { name: 'sign-in-forgot', path: '/forgot', isSignedOut: true },
  { name: 'sign-in-reset', path: '/reset', isSignedOut: true },
  { name: 'sign-in-register', path: '/register', isSignedOut: true },
  {
    name: 'link-share',
    path: '/links/1',
    steps: async (page) => {
      await page
        .locator(`button:has(${icon('share-2')})`)
        .first()
        .click({ timeout: 15_000 });
      await page.getByRole('dialog').getByRole('switch').nth(1).waitFor({ timeout: 15_000 });
    },
    form: 'SharedStats',
  },
  {
    name: 'domain-edit',
    path: '/domains',
    steps: async (page) => {
      await first('domains')(page);
      await edit(page);
    },
    form: 'DomainSlideover',
  },
  {
    name: 'domain-pictures',
    path: '/domains',
    steps: async (page) => {
      await first('domains')(page);
      await edit(page);
      await uploadPictures(page);
      await page.locator('[data-picture]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'splash-pictures',
    path: '/splash',
    steps: async (page) => {
      await openForm(page);
      await uploadPictures(page);
      await page.locator('[data-picture]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'overlay-picture',
    path: '/overlays',
    steps: async (page) => {
      await openForm(page);
      await page.locator('label:has(input[type="radio"][value="image"])').click({ timeout: 15_000 });
      await uploadPictures(page);
      await page.locator('[data-picture]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'bio-picture',
    path: '/bio/1',
    steps: async (page) => {
      await page.locator('main section > button[aria-expanded]').first().click({ timeout: 15_000 });
      await uploadPictures(page);
    },
  },
  {
    name: 'bio-block',
    path: '/bio/1',
    steps: async (page) => {
      const link = page.locator(`li:has(${icon('link')}) button[aria-expanded]`).first();
      await link.click({ timeout: 15_000 });
      await page.locator('[data-picture]').first().waitFor({ timeout: 15_000 });
      await link.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'sso-claims',
    path: '/settings/sso',
    steps: async (page) => {
      const add = page.locator(`main form button:has(${icon('plus')})`);
      await add.first().waitFor({ timeout: 15_000 });
      for (const button of await add.all()) {
        await button.click({ timeout: 15_000 });
        await button.click({ timeout: 15_000 });
      }
      await add.last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'connect-request',
    path: `/connect?${new URLSearchParams({
      redirect_uri: 'http://127.0.0.1:49152/signed-in',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
      device: 'Waypost on Dana’s laptop',
      state: 'example',
    })}`,
  },
  {
    name: 'sign-in-ended',
    path: '/sign-in',
    isSignedOut: true,
    steps: async (page) => {
      await page.evaluate(() => localStorage.setItem('waypost:local:token', 'no longer known'));
      await page.goto(new URL('/admin/links', page.url()).href);
      await page.waitForURL(/\/sign-in/, { timeout: 15_000 });
      await page.getByRole('status').first().waitFor({ timeout: 15_000 });
    },
  },
  { name: 'campaign', path: '/campaigns', steps: first('campaigns'), at: '/campaigns/1' },
  { name: 'channel', path: '/channels', steps: first('channels'), at: '/channels/1' },
  ...(['channels', 'domains'] as const).map(
    (name): View => ({
      name: `${name}-statistics`,
      path: `/${name}`,
      steps: async (page) => {
        await first(name)(page);
        await page.goto(`${page.url()}/statistics`);
      },
      at: `/${name}/1/statistics`,
    }),
  ),
  { name: 'bio-editor', path: '/bio', steps: first('bio'), at: '/bio/1' },
  { name: 'import', path: '/import' },
  { name: 'activity', path: '/activity' },
  { name: 'missed-visits', path: '/missed-visits' },
  { name: 'join', path: '/join#{invitation}' },
  { name: 'connect', path: '/connect' },
  { name: 'api', path: '/api' },
  ...[...sections, ...administration].map((name) => ({
    name: `settings-${name}`,
    path: `/settings/${name}`,
  })),
  { name: 'not-found', path: '/nowhere' },
  { name: 'public-not-found', path: '/nothing-is-here', isPublic: true },
  { name: 'public-password', path: '/members', isPublic: true },
  { name: 'public-splash', path: '/sale', isPublic: true },
  { name: 'public-preview', path: '/sale+', isPublic: true },
  { name: 'public-bio', path: '/northwind', isPublic: true },
  { name: 'public-account', path: '/u/dana', isPublic: true },
  { name: 'public-statistics', path: '{statistics}', isPublic: true },
  { name: 'public-statistics-password', path: '{locked}', isPublic: true },
  {
    name: 'palette',
    path: '/links',
    steps: async (page) => {
      await page.locator('tbody input[type="checkbox"]').first().waitFor({ timeout: 15_000 });
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').first().waitFor({ timeout: 15_000 });
    },
    form: 'CommandPalette',
  },
  ...passingViews,
  ...desktopViews,
];
