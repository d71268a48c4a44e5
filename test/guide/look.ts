import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { faultsOf } from '../support/axe.ts';
import { settled, withExampleInstance } from './example-instance.ts';
import { findFlaws } from './flaws.ts';
import { speakPseudo } from './pseudo-language.ts';
import { smallTargets } from './small-targets.ts';
import { pathOf } from './view.ts';
import { views } from './views.ts';

/**
 * `npm run look`: every page and form of the app with example data, on one sheet for each width, theme and language,
 * for somebody to look at, and a list of what is cut off or wider than the window. Options: `--widths 390,1024,1440`,
 * `--themes light,dark`, `--languages en,de,ar,pseudo`, `--out FOLDER`; further words limit it to views whose name
 * contains one of them. `--height 2400` shows pages and forms to their end; `--axe` also looks for faults of
 * accessibility. `--fingers` lists what has less than 44 pixels for one in windows as narrow as a phone's. `pseudo` is
 * English with accents and 40 % longer, for languages that are not there yet.
 */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: '390,1024,1440' },
    height: { type: 'string' },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'en,de,ar' },
    out: { type: 'string' },
    axe: { type: 'boolean', default: false },
    fingers: { type: 'boolean', default: false },
  },
});
const heights: Readonly<Record<number, number>> = { 390: 844, 1024: 768, 1440: 900 };
const heightOf = (width: number) => Number(values.height ?? heights[width] ?? 900);
/** How wide a view is on its sheet, and how many stand beside each other. */
const shown = {
  390: { width: 390, columns: 8 },
  1024: { width: 700, columns: 4 },
  1440: { width: 800, columns: 4 },
};

const folder = values.out ?? mkdtempSync(join(tmpdir(), 'waypost-look-'));
mkdirSync(folder, { recursive: true });
let flaws = 0;
await withExampleInstance(async ({ origin, open, ...places }) => {
  for (const language of values.languages.split(',')) {
    for (const theme of values.themes.split(',')) {
      for (const width of values.widths.split(',').map(Number)) {
        const viewport = { width, height: heightOf(width) };
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
  const { token = '' } = places;
  const pictures: { label: string; picture: Buffer }[] = [];
  for (const view of views) {
    if (wanted.length > 0 && !wanted.some((part) => view.name.includes(part))) continue;
    await using _standIn = await view.prepare?.(page);
    const path = pathOf(view, places);
    if (view.isSignedOut) await page.evaluate(() => localStorage.removeItem('waypost:local:token'));
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
    const cuts = await findFlaws(page);
    // A splash page goes on by itself, as its owner wants, and has a link for who does not want to wait.
    const rules = { theme: themeOf(name), except: 'iframe', unless: 'meta-refresh' };
    const look = () => faultsOf(page, rules);
    // On a busy machine it may go on while it is looked at; then it is opened again.
    const again = async () => {
      await page.goto(`${origin}${path}`);
      return await look();
    };
    const faults = values.axe ? await (view.isPublic ? look().catch(again) : look()) : [];
    pictures.push({ label: view.name, picture: await page.screenshot() });
    const targets = values.fingers ? await smallTargets(page) : [];
    for (const flaw of [...cuts, ...faults, ...targets]) {
      flaws += 1;
      process.stdout.write(`${name} ${view.name}: ${flaw}\n`);
    }
    if (view.isSignedOut)
      await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
  }
  if (pictures.length > 0) await writeSheets(pictures, page.viewportSize()?.width ?? 1440, name);
}

/** The theme in the name of a sheet. */
function themeOf(name: string): 'light' | 'dark' {
  return name.includes('-dark-') ? 'dark' : 'light';
}

/** Puts the pictures beside and below each other, each under its name, at most three rows on a sheet. */
async function writeSheets(
  pictures: readonly { label: string; picture: Buffer }[],
  viewportWidth: number,
  name: string,
): Promise<void> {
  const { width, columns } = shown[viewportWidth as keyof typeof shown] ?? shown[1440];
  const height = Math.round((width * heightOf(viewportWidth)) / viewportWidth);
  const label = 26;
  const perSheet = columns * Math.max(1, Math.floor((viewportWidth < 500 ? 1_800 : 1_700) / height));
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
