import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const prefix = 'virtual:sentences/';
/**
 * A translation key in code, literal or template (`'links.title'`, `t(`links.${name}`)`), in a Vue template, or a group
 * of keys.
 */
const keyStart = /(?:['`]|keypath=")(\w+)\.(?=[\w$])|labels: '(\w+)'/g;

/** The files with the messages below one key: in English, and in each other language by its tag. */
interface Section {
  readonly english: string;
  readonly others: ReadonlyMap<string, string>;
}

/**
 * Makes each module import the messages it uses, so that they load with their page and the first page stays small
 * (docs/decisions/0097-sentences-with-their-pages.md). `root` is the folder of the app.
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
        ([tag, file]) => `${JSON.stringify(tag)}: retriedImport(() => import(${JSON.stringify(file)}))`,
      );
      return [
        `import { retriedImport } from ${JSON.stringify(`${folder}/ui/retried-import.ts`)};`,
        `import { addSentences } from ${JSON.stringify(`${folder}/ui/sentences.ts`)};`,
        `import { messages } from ${JSON.stringify(section.english)};`,
        `addSentences({ english: messages.en, others: { ${others.join(', ')} } });`,
      ].join('\n');
    },
    transform(code, id) {
      const isOurs = id.startsWith(`${folder}/`) && /^[^?]+\.(?:vue|ts)$/.test(id);
      if (!isOurs || id.endsWith('/messages.ts') || id.startsWith(`${folder}/translations/`))
        return undefined;
      // Read the source file, because compiled components are split into other modules.
      const names = namesOf(readFileSync(id, 'utf8')).filter((name) => known().has(name));
      if (names.length === 0) return undefined;
      // On the first line, to keep line numbers.
      return { code: `${names.map((name) => `import "${prefix}${name}"; `).join('')}${code}`, map: null };
    },
  };
}

/** The top-level sections of all keys that a source uses. */
function namesOf(text: string): string[] {
  return [...new Set([...text.matchAll(keyStart)].map(([, first, folder]) => (first ?? folder) as string))];
}

/** The sections of the catalog by key. Throws if one is missing in some language. */
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
