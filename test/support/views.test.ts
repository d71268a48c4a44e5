import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { views } from '../guide/views.ts';

const renderer = join(import.meta.dirname, '../../renderer');
const textOf = (file: string) => readFileSync(join(renderer, file), 'utf8');

/** Pages that the example instance cannot show. */
const unseenPages: Readonly<Record<string, string>> = {
  '/': 'leads on',
  '/:pathMatch(.*)*': 'the page that is not found has a path of its own',
};

test('`npm run look` has a view of each page', () => {
  const paths = globSync(['router.ts', '**/routes.ts'], { cwd: renderer }).flatMap((file) =>
    [...textOf(file).matchAll(/\bpath: (?:String\.raw)?['`]([^'`]+)['`]/g)].map(([, path]) => path ?? ''),
  );
  expect(paths.length).toBeGreaterThan(30);
  const seen = views.filter(({ isPublic }) => !isPublic).map(({ at, path }) => (at ?? path).split(/[?#]/)[0]);
  const unseen = paths.filter((path) => {
    if (path in unseenPages) return false;
    const pattern = path
      .replace(/\/:\w+(?:\((?:[^()]|\([^()]*\))*\))?\??/g, '/[^/]+')
      .replace(/\/\[\^\/\]\+$/, '(?:/[^/]+)?');
    return !seen.some((address) => new RegExp(`^${pattern}$`).test(address ?? ''));
  });
  expect(unseen).toEqual([]);
});

test('and of each form', () => {
  const forms = globSync('**/*.vue', { cwd: renderer, exclude: ['node_modules/**', 'ui/**'] }).filter(
    (file) => /<(?:FormSlideover|USlideover|UModal)\b/.test(textOf(file)),
  );
  const seen = views.flatMap(({ form }) => form ?? []);
  const unseen = forms.filter(
    (file) =>
      !seen.some((name) =>
        name.includes('/') ? file.endsWith(`${name}.vue`) : basename(file, '.vue') === name,
      ),
  );
  expect(unseen).toEqual([]);
});
