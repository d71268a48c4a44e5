import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const whole = 'reka-ui/namespaced';
const importOfWhole = /import \{([^}]+)\} from ["']reka-ui\/namespaced["'];?/g;

/** A sidebar that opens as a drawer, which ours does not, would bring a library of its own. */
const importOfDrawer = /import UDrawer from ["'][^"']*\/Drawer\.vue["'];?/;

/** What describes schemas as JSON Schema, in zod's schemas; only the server does that. */
const jsonSchema = [
  /^ *inst\._zod\.processJSONSchema = .*;$/gm,
  /createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
  /createStandardJSONSchemaMethod\(this, "(?:in|out)put"\)/g,
];

/**
 * Gives each component of the kit those parts of the library beneath that it names. The library's module of all parts
 * is one for the bundler: a menu on the first page brought the calendars of days, months and years with it, which are
 * shown by pages that are loaded later.
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
