import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type SpawnedServer, spawnServer } from '../support/spawned-server.ts';

/** Milliseconds for which the server's thread was blocked. */
export interface Metrics {
  worst: number;
  p999: number;
}

/** Starts the built server in a way that it can report how long its thread was blocked (`threadFigures`). */
export function spawnWatched(folder: string): Promise<SpawnedServer> {
  return spawnServer(
    folder,
    ['--ratelimit', '100000'],
    [
      'env',
      `NODE_OPTIONS=--import ${join(import.meta.dirname, 'watch-thread.mjs')} --title=${join(folder, 'thread.json')}`,
    ],
  );
}

/** How long the server's thread was blocked since the last call. */
export async function threadMetrics(
  server: SpawnedServer,
  folder: string,
): Promise<{ busy: Metrics; passed: Metrics }> {
  const file = join(folder, 'thread.json');
  rmSync(file, { force: true });
  process.kill(server.pid, 'SIGUSR2');
  for (;;) {
    await pause(100);
    try {
      const figures = JSON.parse(readFileSync(file, 'utf8')) as { busy: Metrics; passed: Metrics };
      return figures;
    } catch {
      // Not written yet.
    }
  }
}

/** A duration, formatted for a table. */
export function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
