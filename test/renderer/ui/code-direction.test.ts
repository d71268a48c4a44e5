import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '../../../renderer');

it('writes code and secrets from left to right in Arabic, too', () => {
  const files = globSync('**/*.vue', { cwd: renderer, exclude: ['node_modules/**'] });
  const tags = files.flatMap((file) =>
    [...readFileSync(join(renderer, file), 'utf8').matchAll(/<(?:pre|code)\b[^>]*>/g)].map(([tag]) => tag),
  );
  const shown = tags.filter((tag) => tag.startsWith('<pre') || tag.includes('select-all'));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((tag) => !tag.includes(' dir="ltr"'))).toEqual([]);
});
