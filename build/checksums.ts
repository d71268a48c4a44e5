import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { projectRoot } from './processes.ts';

/**
 * `npm run checksums`: writes a SHA256SUMS file for `sha256sum --check` into dist/ or the given folder. Subfolders are
 * ignored, because they contain no packages.
 */
const name = 'SHA256SUMS';
const folder = resolve(process.argv[2] ?? join(projectRoot, 'dist'));
const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
const files = entries
  .filter((entry) => entry.isFile() && entry.name !== name)
  .map((entry) => entry.name)
  .sort();
if (files.length === 0) {
  process.stderr.write(`There is no file in ${folder}; "npm run package" makes some.\n`);
  process.exit(1);
}
const lines: string[] = [];
for (const file of files) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, file)), hash);
  lines.push(`${hash.digest('hex')}  ${file}\n`);
}
writeFileSync(join(folder, name), lines.join(''));
process.stdout.write(`${files.length} checksums in ${join(folder, name)}\n`);
