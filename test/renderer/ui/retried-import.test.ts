import { expect, test } from 'vitest';
import { retriedImport } from '../../../renderer/ui/retried-import.ts';

/** A module whose text names it. */
const moduleUrl = `data:text/javascript,${encodeURIComponent('export const name = import.meta.url //')}`;

test('an import that failed is tried again by another URL, each time', async () => {
  let asked = 0;
  const load = retriedImport<{ name: string }>(() => {
    asked += 1;
    return Promise.reject(new TypeError(`Failed to fetch dynamically imported module: ${moduleUrl}`));
  });
  await expect(load()).rejects.toThrow('Failed to fetch');
  expect((await load()).name).toContain('?attempt=1');
  expect(asked).toBe(1);
});

test('an import whose error names no URL is tried again as it is', async () => {
  let asked = 0;
  const load = retriedImport(() => {
    asked += 1;
    return asked === 1
      ? Promise.reject(new TypeError('Importing a module script failed.'))
      : Promise.resolve('there');
  });
  await expect(load()).rejects.toThrow('Importing');
  expect(await load()).toBe('there');
});
