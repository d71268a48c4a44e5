import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { projectRoot } from './processes.ts';

/** The path of a package in the lockfile, within that of a module: `node_modules/a/node_modules/@b/c`. */
const PACKAGE = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/.][^/]*)\//;

/** Where builds leave the paths of the packages that are in their bundles, a file for each bundle. */
export const bundledFolder = join(projectRoot, 'out', 'bundled');

/**
 * Writes down which installed packages went into a bundle. Most of what the pages are made of are development
 * dependencies, so the lockfile alone does not know that they are a part of what people get.
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
