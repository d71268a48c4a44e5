import { expect, test } from 'vitest';
import { retriedImport } from '../../../renderer/ui/retried-import.ts';

/** A module whose text names it. */
const moduleUrl = `data:text/javascript,${encodeURIComponent('export const name = import.meta.url //')}`;

test('a failed import is retried with a different URL each time', async () => {
  let asked = 0;
  const load = retriedImport<{ name: string }>(() => {
    asked += 1;
    return Promise.reject(new TypeError(`Failed to fetch dynamically imported module: ${moduleUrl}`));
  });
  await expect(load()).rejects.toThrow('Failed to fetch');
  expect((await load()).name).toContain('?attempt=1');
  expect(asked).toBe(1);
});

test('an import whose error has no URL is retried unchanged', async () => {
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
