import { utimesSync, writeFileSync } from 'node:fs';
import { build } from 'electron-vite';
import { writeComponentTypes } from './component-types.ts';
import { stampFile } from './freshness.ts';

await writeComponentTypes();
const started = new Date();
await build({ logLevel: process.argv.includes('--quiet') ? 'error' : 'info' });
writeFileSync(stampFile, '');
// The age of the build is its start: a source saved while it ran may not be in it.
utimesSync(stampFile, started, started);
