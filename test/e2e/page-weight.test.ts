import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const built = join(import.meta.dirname, '../../out/renderer');
/** What a first visit has to fetch before anything moves, as it travels. Bytes. */
const most = 310_000;

test('the scripts that the first page waits for are small', () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  const scripts = tags.flatMap((tag) => /(?:src|href)="\/admin\/([^"]+\.js)"/.exec(tag)?.[1] ?? []);
  expect(scripts.length).toBeGreaterThan(1);
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name))).length, 0);
  expect(bytes).toBeGreaterThan(50 * 1024);
  expect(bytes).toBeLessThan(most);
});
