import { posix } from 'node:path';
import type { Plugin } from 'vite';

/** `new Worker(new URL('./reader.ts', import.meta.url)` with the file name captured. */
const WORKER = /new Worker\(\s*new URL\(\s*'(\.{1,2}\/[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g;

/** Stands for the address of a worker's chunk until the chunks have their names. */
const PLACEHOLDER = /__WAYPOST_WORKER_([\w$]+?)__/g;

/**
 * Bundles worker threads that the server starts by the name of their source file:
 * `new Worker(new URL('./reader.ts', import.meta.url), …)`.
 *
 * Written so, a worker runs unbundled as it is (tests, scripts: Node reads TypeScript), and in a build this
 * plugin makes it a chunk of its own and puts that chunk's address in its place. Vite does so for pages only,
 * and electron-vite's `?nodeWorker` and `?modulePath` exist only in its builds: tests could not start the worker.
 *
 * What a worker imports must therefore be plain TypeScript: no `import.meta.glob`, no `?raw`.
 */
export function sourceWorkers(): Plugin {
  return {
    name: 'waypost:source-workers',
    apply: 'build',
    // Before the types are stripped, while the code still reads as it was written.
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
