import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const prefix = 'virtual:sentences/';
/**
 * A key in code, put together or not (`'links.title'`, `t(`links.${name}`)`), in a template, or the folder of several.
 */
const keyStart = /(?:['`]|keypath=")(\w+)\.(?=[\w$])|labels: '(\w+)'/g;

/** Where the sentences below one key are: in English, and in each other language by its tag. */
interface Section {
  readonly english: string;
  readonly others: ReadonlyMap<string, string>;
}

/**
 * Has each module of the app bring the sentences that it names: they come with the page that says them, and the first
 * page waits for no others (docs/decisions/0097-sentences-come-with-their-pages.md). `root` is the folder of the app.
 */
export function pageSentences(root: string): Plugin {
  const folder = normalizePath(root);
  let sections: ReadonlyMap<string, Section> | undefined;
  const known = () => {
    sections ??= findSections(root);
    return sections;
  };
  return {
    name: 'waypost:page-sentences',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const section = known().get(id.slice(prefix.length + 1));
      if (!section) return undefined;
      const others = [...section.others].map(
        ([tag, file]) => `${JSON.stringify(tag)}: () => import(${JSON.stringify(file)})`,
      );
      return [
        `import { addSentences } from ${JSON.stringify(`${folder}/ui/sentences.ts`)};`,
        `import { messages } from ${JSON.stringify(section.english)};`,
        `addSentences({ english: messages.en, others: { ${others.join(', ')} } });`,
      ].join('\n');
    },
    transform(code, id) {
      const isOurs = id.startsWith(`${folder}/`) && /^[^?]+\.(?:vue|ts)$/.test(id);
      if (!isOurs || id.endsWith('/messages.ts') || id.startsWith(`${folder}/translations/`))
        return undefined;
      // As it was written: what the compiler of components makes of it is in other modules.
      const names = namesOf(readFileSync(id, 'utf8')).filter((name) => known().has(name));
      if (names.length === 0) return undefined;
      // In the first line, so that all others keep their numbers.
      return { code: `${names.map((name) => `import "${prefix}${name}"; `).join('')}${code}`, map: null };
    },
  };
}

/** The first words of all keys that a source names. */
function namesOf(text: string): string[] {
  return [...new Set([...text.matchAll(keyStart)].map(([, first, folder]) => (first ?? folder) as string))];
}

/** The sections of the catalogue by the key that they are below. Throws where one is missing in some language. */
function findSections(root: string): ReadonlyMap<string, Section> {
  const path = (file: string) => normalizePath(join(root, file));
  const tags = globSync('translations/*/messages.ts', { cwd: root }).map((file) =>
    basename(join(root, file, '..')),
  );
  const translations = tags.map((tag) => {
    const files = globSync(`translations/${tag}/*.ts`, { cwd: root }).map(path);
    const sources = files.flatMap((file) => {
      const source = /from '\.\.\/\.\.\/(.+\/messages\.ts)'/.exec(readFileSync(file, 'utf8'))?.[1];
      return source === undefined ? [] : [[path(source), file] as const];
    });
    return [tag, new Map(sources)] as const;
  });
  return new Map(
    globSync('{api,content,frame,identity,network,operations,ui,visits}/**/messages.ts', { cwd: root }).map(
      (file) => {
        const english = path(file);
        const name = /^ {4}(\w+): \{/m.exec(readFileSync(english, 'utf8'))?.[1];
        if (name === undefined) throw new Error(`${file} has no sentences.`);
        const others = translations.map(([tag, files]) => {
          const other = files.get(english);
          if (other === undefined) throw new Error(`${file} is not translated: ${tag}`);
          return [tag, other] as const;
        });
        return [name, { english, others: new Map(others) }];
      },
    ),
  );
}
