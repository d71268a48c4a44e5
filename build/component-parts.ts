import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const whole = 'reka-ui/namespaced';
const importOfWhole = /import \{([^}]+)\} from ["']reka-ui\/namespaced["'];?/g;

/** Only needed for a sidebar that opens as a drawer, which ours does not. */
const importOfDrawer = /import UDrawer from ["'][^"']*\/Drawer\.vue["'];?/;

/** JSON Schema generation in zod; only the server uses it. */
const jsonSchema = [
  /^ *inst\._zod\.processJSONSchema = .*;$/gm,
  /createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
  /createStandardJSONSchemaMethod\(this, "(?:in|out)put"\)/g,
];

/**
 * Makes UI components import only those parts of the underlying library that they use. Otherwise the library's index
 * becomes a single chunk, and a menu on the first page would load the calendars of later pages.
 */
export function componentParts(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  let text: string | undefined;
  const source = () => {
    text ??= readFileSync(
      join(dirname(resolve('reka-ui/package.json')), 'dist/namespaced/index.mjs'),
      'utf8',
    );
    return text;
  };
  return {
    name: 'waypost:component-parts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/\/zod\/v4\/classic\/schemas\.js$/.test(id))
        return jsonSchema.reduce(
          (text, part) => text.replaceAll(part, (found) => (found.endsWith(';') ? '' : 'undefined')),
          code,
        );
      if (id.includes('@nuxt/ui/') && /\/DashboardSidebar\.vue$/.test(id))
        return code.replace(importOfDrawer, 'const UDrawer = undefined;');
      if (!id.includes('@nuxt/ui/') || !code.includes(whole)) return undefined;
      return code.replaceAll(importOfWhole, (_, names: string) =>
        names
          .split(',')
          .map((name) => {
            const [part = ''] = name.trim().split(/\s+as\s+/);
            return `import { ${name.trim()} } from "${whole}/${part}";`;
          })
          .join('\n'),
      );
    },
    resolveId: (id) => (id.startsWith(`${whole}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${whole}/`)) return undefined;
      const part = id.slice(whole.length + 2);
      const made = new RegExp(`^const ${part} = \\{[^}]*\\};`, 'm').exec(source())?.[0];
      if (!made) throw new Error(`There is no part ${part} in ${whole}.`);
      const names = [...made.matchAll(/: (\w+)/g)].map(([, name]) => name);
      return `import { ${names.join(', ')} } from "reka-ui";\nexport ${made}`;
    },
  };
}
