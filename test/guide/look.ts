import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { settled, withExampleInstance } from './example-instance.ts';
import { findFlaws } from './flaws.ts';
import { speakPseudo } from './pseudo-language.ts';

/**
 * `npm run look`: every page and form of the app with example data, on one sheet for each width, theme and language, for
 * somebody to look at, and a list of what is cut off or wider than the window. Options: `--widths 390,1024,1440`,
 * `--themes light,dark`, `--languages en,de,ar,pseudo`, `--out FOLDER`; further words limit it to views whose name
 * contains one of them. `pseudo` is English with accents and 40 % longer, for languages that are not there yet.
 */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: '390,1024,1440' },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'en,de,ar' },
    out: { type: 'string' },
  },
});
const heights: Readonly<Record<number, number>> = { 390: 844, 1024: 768, 1440: 900 };
/** How wide a view is on its sheet, and how many stand beside each other. */
const shown = {
  390: { width: 390, columns: 8 },
  1024: { width: 700, columns: 4 },
  1440: { width: 800, columns: 4 },
};

interface View {
  name: string;
  path: string;
  /** Whether visitors see it, outside of the app. */
  isPublic?: boolean;
  /** What a person does before the picture is made. */
  steps?: (page: Page) => Promise<void>;
}

/** Opens the form that the page's own button opens: the last one of its header. */
async function openForm(page: Page): Promise<void> {
  await page.locator('[data-page-actions] button').last().click({ timeout: 5_000 });
  await page.getByRole('dialog').first().waitFor({ timeout: 5_000 });
}

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
const first = (path: string) => async (page: Page) => {
  const href = await page
    .locator(`main a[href*="/admin/${path}/"]`)
    .first()
    .getAttribute('href', { timeout: 5_000 });
  await page.goto(new URL(href ?? '', page.url()).href);
};
/** Opens a section of the form of a new link, by its place among the closed ones. */
async function openSection(page: Page, place: number): Promise<void> {
  await openForm(page);
  await page.locator('#link-form [data-state="closed"] > button').nth(place).click({ timeout: 5_000 });
}
const [planned, rules] = [0, 4];

const views: View[] = [
  {
    name: 'date-picker',
    path: '/links',
    steps: async (page) => {
      await openSection(page, planned);
      await page.locator('#link-form [aria-haspopup="dialog"]').first().click({ timeout: 5_000 });
      await page.locator('[data-reka-calendar-cell-trigger]').first().waitFor({ timeout: 5_000 });
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
      await section.getByRole('button').last().click({ timeout: 5_000 });
      await section.locator('input[inputmode="url"]').fill('https://example.com/de');
      await section.locator('[aria-expanded="false"]').last().click({ timeout: 5_000 });
      await page.locator('#link-form section').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'bulk-menu',
    path: '/links',
    steps: async (page) => {
      await page.keyboard.press('a');
      await page.keyboard.press('m');
      await page.getByRole('menuitem').first().waitFor({ timeout: 5_000 });
    },
  },
  { name: 'overview', path: '/overview' },
  {
    name: 'comparison',
    path: '/compare?of=link-1&of=link-2&of=link-3&of=campaign-1&of=channel-1&period=90d&compare=previous',
  },
  { name: 'comparison-empty', path: '/compare' },
  ...lists.flatMap((name): View[] => [
    { name, path: `/${name}` },
    // That of files is the system's own.
    ...(name === 'files' ? [] : [{ name: `${name}-form`, path: `/${name}`, steps: openForm }]),
  ]),
  { name: 'link', path: '/links', steps: first('links') },
  {
    name: 'link-share',
    path: '/links/1',
    steps: async (page) => {
      await page.locator('button:has(.i-lucide\\:share-2)').first().click({ timeout: 5_000 });
      await page.getByRole('dialog').getByRole('switch').nth(1).waitFor({ timeout: 5_000 });
    },
  },
  {
    name: 'domain-edit',
    path: '/domains',
    steps: async (page) => {
      await first('domains')(page);
      await page.locator('[data-page-actions] button').first().waitFor({ timeout: 5_000 });
      await page.keyboard.press('e');
      await page.getByRole('dialog').first().waitFor({ timeout: 5_000 });
    },
  },
  { name: 'campaign', path: '/campaigns', steps: first('campaigns') },
  { name: 'channel', path: '/channels', steps: first('channels') },
  ...(['channels', 'domains'] as const).map(
    (name): View => ({
      name: `${name}-statistics`,
      path: `/${name}`,
      steps: async (page) => {
        await first(name)(page);
        await page.goto(`${page.url()}/statistics`);
      },
    }),
  ),
  { name: 'bio-editor', path: '/bio', steps: first('bio') },
  { name: 'import', path: '/import' },
  { name: 'activity', path: '/activity' },
  { name: 'missed-visits', path: '/missed-visits' },
  { name: 'join', path: '/join#{invitation}' },
  { name: 'connect', path: '/connect' },
  { name: 'instances', path: '/instances' },
  { name: 'transfer', path: '/transfer' },
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
  {
    name: 'palette',
    path: '/links',
    steps: async (page) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').first().waitFor({ timeout: 5_000 });
    },
  },
];

const folder = values.out ?? mkdtempSync(join(tmpdir(), 'waypost-look-'));
mkdirSync(folder, { recursive: true });
let flaws = 0;
await withExampleInstance(async ({ origin, open, ...places }) => {
  for (const language of values.languages.split(',')) {
    for (const theme of values.themes.split(',')) {
      for (const width of values.widths.split(',').map(Number)) {
        const viewport = { width, height: heights[width] ?? 900 };
        const colorScheme = theme === 'dark' ? 'dark' : 'light';
        const locale = language === 'pseudo' ? 'en-GB' : language;
        const page = await open({ colorScheme, locale, viewport, hasTouch: width < 500 });
        await makeSheet(page, origin, places, `${language}-${theme}-${width}`, language === 'pseudo');
        await page.context().close();
      }
    }
  }
});
process.stdout.write(`${flaws} flaws; sheets in ${folder}\n`);
if (flaws > 0) process.exitCode = 1;

async function makeSheet(
  page: Page,
  origin: string,
  places: Readonly<Record<string, string>>,
  name: string,
  isPseudo: boolean,
): Promise<void> {
  const pictures: { label: string; picture: Buffer }[] = [];
  for (const view of views) {
    if (wanted.length > 0 && !wanted.some((part) => view.name.includes(part))) continue;
    const path = view.path.replace(/\{([a-z]+)\}/, (_, place: string) => places[place] ?? '');
    await page.goto(view.isPublic ? `${origin}${path}` : `${origin}/admin${path}`);
    await page.locator('main').first().waitFor();
    if (isPseudo && !view.isPublic) await speakPseudo(page);
    await settled(page, 500);
    try {
      await view.steps?.(page);
    } catch {
      flaws += 1;
      process.stdout.write(`${name} ${view.name}: not reached\n`);
      continue;
    }
    // A step may have gone on to another page.
    if (isPseudo && !view.isPublic) await speakPseudo(page);
    await settled(page, 400);
    for (const flaw of await findFlaws(page)) {
      flaws += 1;
      process.stdout.write(`${name} ${view.name}: ${flaw}\n`);
    }
    pictures.push({ label: view.name, picture: await page.screenshot() });
  }
  if (pictures.length > 0) await writeSheets(pictures, page.viewportSize()?.width ?? 1440, name);
}

/** Puts the pictures beside and below each other, each under its name, at most three rows on a sheet. */
async function writeSheets(
  pictures: readonly { label: string; picture: Buffer }[],
  viewportWidth: number,
  name: string,
): Promise<void> {
  const { width, columns } = shown[viewportWidth as keyof typeof shown] ?? shown[1440];
  const height = Math.round((width * (heights[viewportWidth] ?? 900)) / viewportWidth);
  const label = 26;
  const perSheet = columns * (viewportWidth < 500 ? 2 : 3);
  for (let start = 0; start < pictures.length; start += perSheet) {
    const part = pictures.slice(start, start + perSheet);
    const rows = Math.ceil(part.length / columns);
    const parts = await Promise.all(
      part.map(async ({ label: text, picture }, index) => {
        const left = (index % columns) * (width + 8);
        const top = Math.floor(index / columns) * (height + label + 8);
        const words = `<svg width="${width}" height="${label}"><text x="4" y="18" font-size="16" font-family="sans-serif">${text}</text></svg>`;
        return [
          { input: Buffer.from(words), left, top },
          { input: await sharp(picture).resize(width, height).toBuffer(), left, top: top + label },
        ];
      }),
    );
    const file = join(folder, `${name}-${1 + start / perSheet}.png`);
    const size = { width: columns * (width + 8), height: rows * (height + label + 8) };
    await sharp({ create: { ...size, channels: 3, background: '#fff' } })
      .composite(parts.flat())
      .png({ palette: true, colors: 128 })
      .toFile(file);
    process.stdout.write(`${file}\n`);
  }
}
