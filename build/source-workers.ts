import { posix } from 'node:path';
import type { Plugin } from 'vite';

/** Matches `new Worker(new URL('./reader.ts', import.meta.url)` and captures the file name. */
const WORKER = /new Worker\(\s*new URL\(\s*'(\.{1,2}\/[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g;

/** Placeholder for a worker chunk's URL until chunk names are known. */
const PLACEHOLDER = /__WAYPOST_WORKER_([\w$]+?)__/g;

/**
 * Bundles worker threads that the server starts by source file: `new Worker(new URL('./reader.ts', import.meta.url),
 * …)`.
 *
 * This form also works unbundled (in tests and scripts, where Node runs TypeScript); in a build, this plugin emits the
 * worker as a chunk and inserts its URL. Vite supports this only for pages, and electron-vite's `?nodeWorker` and
 * `?modulePath` work only in its builds, so tests could not start the worker.
 *
 * A worker's imports must therefore be plain TypeScript: no `import.meta.glob`, no `?raw`.
 */
export function sourceWorkers(): Plugin {
  return {
    name: 'waypost:source-workers',
    apply: 'build',
    // Run before types are stripped, while the code is unchanged.
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('.ts') || !code.includes('new Worker(')) return null;
      let changed = code;
      for (const [whole, path] of code.matchAll(WORKER)) {
        const source = await this.resolve(path as string, id);
        if (!source) this.error(`The worker ${path} that ${id} starts does not exist.`);
        const chunk = this.emitFile({ type: 'chunk', id: source.id });
        changed = changed.replace(
          whole,
          `new Worker(new URL('__WAYPOST_WORKER_${chunk}__', import.meta.url)`,
        );
      }
      return changed === code ? null : { code: changed, map: null };
    },
    renderChunk(code, chunk) {
      if (!code.includes('__WAYPOST_WORKER_')) return null;
      const changed = code.replace(PLACEHOLDER, (_whole, reference: string) => {
        const path = posix.relative(posix.dirname(chunk.fileName), this.getFileName(reference));
        return path.startsWith('.') ? path : `./${path}`;
      });
      return { code: changed, map: null };
    },
  };
}
