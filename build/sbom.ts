import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundledFolder } from './bundled-packages.ts';
import { ensureBuilt } from './freshness.ts';
import { projectRoot } from './processes.ts';

/**
 * `npm run sbom`: writes the software bill of materials to dist/waypost.cdx.json or the given file. Builds first if the
 * build is stale, because bundle contents are only known after a build.
 */

/** Packages bundled without being imported: a plugin reads the icons, and the style sheet the font. */
const withoutModules = [
  'node_modules/@fontsource-variable/inter',
  'node_modules/@iconify-json/lucide',
  'node_modules/tailwindcss',
];

const code = await ensureBuilt();
if (code !== 0) process.exit(code);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const bundled = readdirSync(bundledFolder).flatMap((file): string[] => read(join(bundledFolder, file)));
const bill = billOfMaterials(
  read(join(projectRoot, 'package.json')),
  read(join(projectRoot, 'package-lock.json')),
  [...new Set([...bundled, ...withoutModules])],
);
const target = resolve(process.argv[2] ?? join(projectRoot, 'dist', 'waypost.cdx.json'));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${bill.components.length} components in ${target}\n`);
