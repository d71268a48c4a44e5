import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { settled, withExampleInstance } from './example-instance.ts';

/**
 * `npm run guide`: makes the pictures of docs/user-guide, and README's, from the running app with example data. What is
 * given limits it to pictures whose name contains it.
 */
const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/user-guide/pictures');
const wanted = process.argv.slice(2);

interface Picture {
  name: string;
  path: string;
  /** What is on the page when it is ready. */
  ready: string | RegExp;
  /** What a person does before the picture is made. */
  steps?: (page: Page) => Promise<void>;
  /** A second one in the dark theme, `<name>-dark`. */
  dark?: boolean;
  height?: number;
}

const pictures: Picture[] = [
  { name: 'links', path: '/links', ready: 'Links', dark: true },
  {
    name: 'new-link',
    path: '/links',
    ready: 'Links',
    async steps(page) {
      await page
        .getByRole('button', { name: /new link/i })
        .first()
        .click();
      await page.getByRole('dialog').first().waitFor();
    },
  },
  {
    name: 'link',
    path: '/links',
    ready: 'Links',
    async steps(page) {
      const sorted = page.waitForResponse(/order=click/);
      await page.getByRole('button', { name: 'Clicks' }).click();
      await sorted;
      await settled(page);
      await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByText('Clicks over time').waitFor();
    },
    height: 1300,
  },
  { name: 'overview', path: '/overview', ready: 'Overview', dark: true, height: 1200 },
  { name: 'campaigns', path: '/campaigns', ready: 'Campaigns' },
  { name: 'channels', path: '/channels', ready: 'Channels' },
  { name: 'bio-pages', path: '/bio', ready: /Northwind/, height: 460 },
  {
    name: 'bio-editor',
    path: '/bio',
    ready: /Northwind/,
    async steps(page) {
      await page
        .getByRole('link', { name: /Northwind Coffee/ })
        .first()
        .click();
      await page.getByRole('list', { name: 'Blocks' }).waitFor();
    },
  },
  { name: 'qr-codes', path: '/qr-codes', ready: /Shop window/, height: 460 },
  { name: 'overlays', path: '/overlays', ready: /Newsletter/, height: 460 },
  { name: 'files', path: '/files', ready: /Price list/, height: 460 },
  { name: 'import', path: '/import', ready: 'Import', height: 460 },
  { name: 'domains', path: '/domains', ready: 'Domains', height: 460 },
  { name: 'security', path: '/settings/security', ready: 'Settings' },
  { name: 'keys', path: '/settings/keys', ready: 'Settings', height: 460 },
  { name: 'webhooks', path: '/settings/webhooks', ready: 'Settings', height: 460 },
  { name: 'users', path: '/settings/users', ready: 'Settings', height: 460 },
  { name: 'backups', path: '/settings/backups', ready: 'Settings' },
  { name: 'sharing', path: '/settings/sharing', ready: 'Settings', height: 460 },
  { name: 'activity', path: '/activity', ready: 'Activity', height: 460 },
  { name: 'api', path: '/api', ready: 'API reference' },
];

mkdirSync(folder, { recursive: true });
await withExampleInstance(async ({ origin, open }) => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await open({ colorScheme: theme, locale: 'en-GB', viewport: { width: 1280, height: 800 } });
    for (const picture of pictures.filter((one) => theme === 'light' || one.dark)) {
      const name = theme === 'dark' ? `${picture.name}-dark` : picture.name;
      if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
      await takePicture(page, origin, picture, name);
    }
    await page.context().close();
  }
});

async function takePicture(page: Page, origin: string, picture: Picture, name: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: picture.height ?? 800 });
  await page.goto(`${origin}/admin${picture.path}`);
  await page.getByText(picture.ready).first().waitFor();
  await picture.steps?.(page);
  await settled(page);
  const file = join(folder, `${name}.png`);
  // A palette keeps the words sharp at a quarter of the size.
  const image = sharp(await page.screenshot()).png({ palette: true, colors: 128, effort: 10 });
  const { size } = await image.toFile(file);
  process.stdout.write(`${name}.png ${Math.round(size / 1024)} kB\n`);
}
