import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'electron-vite';
import { writeComponentTypes } from './component-types.ts';
import { writeCompressedPages } from './compressed-pages.ts';
import { stampFile } from './freshness.ts';
import { drawPictures } from './pictures.ts';
import { projectRoot } from './processes.ts';

await writeComponentTypes();
const started = new Date();
await build({ logLevel: process.argv.includes('--quiet') ? 'error' : 'info' });
await writeCompressedPages(join(projectRoot, 'out', 'renderer'));
await drawPictures(join(projectRoot, 'out', 'pictures'));
writeFileSync(stampFile, '');
// Use the start time: sources saved during the build may not be included.
utimesSync(stampFile, started, started);
