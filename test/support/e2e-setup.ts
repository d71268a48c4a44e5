import { setup as build } from './build-setup.ts';
import { provideChromium } from './provision.ts';

/** The bundles, and a browser for them; without a browser the tests that need one skip and say why. */
export async function setup(): Promise<void> {
  await build();
  await provideChromium();
}
