import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageSentences } from '../../../build/page-sentences.ts';
import { catalogue } from '../../../renderer/catalogue.ts';
import { translations } from '../../../renderer/ui/sentences.ts';

const folder = join(import.meta.dirname, '../../../renderer');

/** All keys of the catalogue with their text: `ui.copy.name`. */
function leaves(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    return typeof value === 'string' ? [[here, value] as [string, string]] : leaves(value, here);
  });
}

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(vue|ts)$/.test(name) && !name.includes('node_modules'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

describe('the catalogue', () => {
  it('have text for every key', () => {
    const { t, mergeLocaleMessage } = translations().global;
    mergeLocaleMessage('en', catalogue.en);
    for (const [key, text] of leaves(catalogue.en)) {
      expect(text.trim(), key).not.toBe('');
      expect(t(key), key).not.toBe(key);
    }
  });

  it('have every key that a page names', () => {
    const known = new Set(leaves(catalogue.en).map(([key]) => key));
    const missing = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/(?<![\w.])t\(\s*'([\w.-]+)'/g)]
        .map((match) => match[1] as string)
        .filter((key) => !known.has(key))
        .map((key) => `${name}: ${key}`),
    );
    expect(missing).toEqual([]);
  });

  it('have the prefix of every key that a page composes', () => {
    const keys = leaves(catalogue.en).map(([key]) => key);
    const missing = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/(?<![\w.])t\(\s*`([\w.-]+)\$\{/g)]
        .map((match) => match[1] as string)
        .filter((start) => !keys.some((key) => key.startsWith(start)))
        .map((start) => `${name}: ${start}`),
    );
    expect(missing).toEqual([]);
  });

  it('have no unused text', () => {
    const code = sources.filter(({ name }) => !name.endsWith('messages.ts')).map(({ text }) => text);
    const named = new Set(
      code.flatMap((text) => text.match(/(?<=['"`])[\w-]+(?:\.[\w-]+)+(?=['"`])/g) ?? []),
    );
    // A key that is put together, `a.${b}.c`, says whatever fits; one whose first word is a variable, what ends like
    // it.
    const templates = code.flatMap(
      (text) => text.match(/(?<=`)(?:[\w.-]|\$\{[^{}]*\})*\$\{[^{}]*\}[\w.-]*(?=`)/g) ?? [],
    );
    const patterns = [...new Set(templates)]
      .filter((template) => /\w\.|\.\w/.test(template.replace(/\$\{[^{}]*\}/g, '')))
      .map((template) => {
        const parts = template.split(/\$\{[^{}]*\}/).map((part) => part.replaceAll('.', '\\.'));
        return new RegExp(`^${parts.join('[\\w.-]+')}$`);
      });
    const isSaid = (key: string) => named.has(key) || patterns.some((pattern) => pattern.test(key));
    // A list is said by its own key.
    const unsaid = leaves(catalogue.en)
      .map(([key]) => key.replace(/\.\d+$/, ''))
      .filter((key) => !isSaid(key));
    expect(unsaid).toEqual([]);
  });
});

describe("the renderer's sources", () => {
  it('import the sentences that they use, so that no page shows a key', async () => {
    const keys = new Set(leaves(catalogue.en).map(([key]) => key));
    const { transform } = pageSentences(folder) as { transform: (code: string, id: string) => unknown };
    const forgotten = sources
      .filter(({ name }) => !name.endsWith('messages.ts') && !name.startsWith('translations/'))
      .flatMap(({ name, text }) => {
        const named =
          text.match(/(?<=['"`])[\w-]+(?:\.[\w-]+)+(?=['"`])/g)?.filter((key) => keys.has(key)) ?? [];
        const begun = [...text.matchAll(/(?<![\w.])t\(\s*`([\w-]+)\./g)].map(
          ([, section]) => section as string,
        );
        const brought = JSON.stringify(transform('', join(folder, name)) ?? '');
        return [...named.map((key) => key.split('.', 1)[0]), ...begun]
          .filter((section) => !brought.includes(`virtual:sentences/${section}`))
          .map((section) => `${name}: ${section}`);
      });
    expect(forgotten).toEqual([]);
  });

  it('load lazy components in one way only, which waits for their sentences', () => {
    const own = sources.filter(({ text }) => text.includes('defineAsyncComponent')).map(({ name }) => name);
    expect(own).toEqual(['ui/lazy-component.ts']);
  });

  it('never write hostile text as HTML', () => {
    expect(
      sources
        .filter(({ text }) => /v-html|innerHTML\s*=|insertAdjacentHTML/.test(text))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('turn a URL into a link in one component only', () => {
    // `hrefOf` asks the router for a page of this app: no address from outside gets there.
    const bound = sources
      .filter(({ text }) => /<a\b[^>]*:href="(?!labels\.hrefOf\()/.test(text))
      .map(({ name }) => name);
    expect(bound).toEqual(['ui/ExternalLink.vue']);
  });

  it('name icons literally, so that they are bundled', () => {
    const built = sources
      .filter(({ text }) => /`i-lucide-[^`]*\$\{|'i-lucide-'/.test(text))
      .map(({ name }) => name);
    expect(built).toEqual([]);
  });

  it('use logical properties for layout', () => {
    const physical =
      /(?<=["'\s:])-?(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-l|rounded-r|text-left|text-right)-(?:\d|\[|auto|px|full)/;
    const found = sources
      .filter(({ name, text }) => name.endsWith('.vue') && physical.test(text))
      .map(({ name }) => name);
    expect(found).toEqual([]);
  });
});
