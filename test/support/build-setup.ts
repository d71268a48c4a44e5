import { ensureBuilt } from '../../build/freshness.ts';

/** Builds before the first test of a project that uses the bundles, unless they are up to date. */
export async function setup(): Promise<void> {
  const code = await ensureBuilt();
  if (code !== 0) throw new Error(`The build failed with exit code ${code}.`);
}
