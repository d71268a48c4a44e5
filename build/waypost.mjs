#!/usr/bin/env node
// The command `waypost`, from whatever folder: `ln -s /opt/waypost/build/waypost.mjs /usr/local/bin/waypost`.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('serve.ts', import.meta.url)));
await import('./run.mjs');
