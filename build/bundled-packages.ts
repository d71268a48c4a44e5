import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { projectRoot } from './processes.ts';

/** Extracts a package's lockfile path from a module path: `node_modules/a/node_modules/@b/c`. */
const PACKAGE = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/.][^/]*)\//;

/** Where builds list the packages in their bundles, one file per bundle. */
export const bundledFolder = join(projectRoot, 'out', 'bundled');

/**
 * Records which installed packages are in a bundle. Most frontend packages are development dependencies, so the
 * lockfile does not show that they are shipped.
 */
export function bundledPackages(bundle: string): Plugin {
  return {
    name: 'waypost:bundled-packages',
    apply: 'build',
    generateBundle() {
      const paths = new Set<string>();
      for (const id of this.getModuleIds()) {
        const path = PACKAGE.exec(id.replaceAll('\\', '/'))?.[1];
        if (path) paths.add(path);
      }
      mkdirSync(bundledFolder, { recursive: true });
      writeFileSync(join(bundledFolder, `${bundle}.json`), `${JSON.stringify([...paths].sort(), null, 2)}\n`);
    },
  };
}
