import { type Finding, partOf, type Rule } from './rule.ts';
import type { Import, Source } from './source.ts';

/**
 * Allowed imports between parts; every part may import package.json for the version. A part missing here (test) may
 * import all others.
 */
const allowedParts: Record<string, string[]> = {
  'server/contract': ['server/contract'],
  server: ['server', 'server/contract'],
  'preload/contract': ['preload/contract'],
  preload: ['preload', 'preload/contract'],
  main: ['main', 'preload/contract', 'server/contract'],
  renderer: ['renderer', 'server/contract', 'preload/contract'],
  build: ['build'],
  configuration: ['build'],
};

/** Restrictions on the packages that a part may import. */
const packageRules: Record<string, (specifier: string) => boolean> = {
  'server/contract': (specifier) => specifier === 'zod',
  server: (specifier) =>
    !/^(electron|vue|vue-router|pinia|@pinia\/.*|@nuxt\/ui.*|@vueuse\/.*)(\/|$)/.test(specifier),
  'preload/contract': () => false,
  preload: (specifier) => specifier === 'electron',
  main: (specifier) => !/^(better-sqlite3|koa|@koa\/.*|vue|vue-router|pinia)(\/|$)/.test(specifier),
  renderer: (specifier) =>
    !/^(node:.*|electron|better-sqlite3|koa|@koa\/.*|sharp|pino)(\/|$)/.test(specifier),
};

const parts: Rule = {
  name: 'parts import only their contracts',
  check: ({ path, imports }) => {
    const allowed = allowedParts[partOf(path)];
    if (!allowed) return [];
    return imports
      .filter(
        ({ target }) =>
          target !== undefined && target !== 'package.json' && !allowed.includes(partOf(target)),
      )
      .map(({ line, target }) => ({ line, message: `${partOf(path)} may not import ${target}` }));
  },
};

const desktopTypes: Rule = {
  name: 'preload/contract.ts is only types',
  check: ({ imports }) =>
    imports
      .filter(({ target, typeOnly }) => target === 'preload/contract.ts' && !typeOnly)
      .map(({ line }) => ({ line, message: 'import preload/contract.ts with `import type`' })),
};

const packages: Rule = {
  name: 'packages stay in their world',
  check: ({ path, imports }) => {
    const isAllowed = packageRules[partOf(path)];
    if (!isAllowed) return [];
    return imports
      .filter(({ target, specifier }) => target === undefined && !isAllowed(specifier))
      .map(({ line, specifier }) => ({ line, message: `${partOf(path)} may not import '${specifier}'` }));
  },
};

const extensions: Rule = {
  name: 'relative imports name the file',
  check: ({ imports }) =>
    imports
      .filter(
        ({ specifier }) =>
          /^\.\.?(\/|$)/.test(specifier) && !/\.(ts|vue|css|json|sql|svg|png)(\?\w+)?$/.test(specifier),
      )
      .map(({ line, specifier }) => ({ line, message: `'${specifier}' lacks its extension (.ts, .vue, …)` })),
};

/** Which roles each role may import within its own feature. */
const allowedRoles: Record<string, string[]> = {
  routes: ['routes', 'service', 'queries', 'presenter'],
  service: ['service', 'queries'],
  queries: ['queries'],
  presenter: ['presenter'],
};

/**
 * The districts of each part, lowest first: a file imports from its own district and those before it. Files beside the
 * districts (app.ts, main.ts, the router) wire them together and may import all.
 */
const districts: Record<string, readonly string[]> = {
  server: ['contract', 'platform', 'identity', 'visits', 'content', 'network', 'operations'],
  renderer: ['api', 'ui', 'identity', 'visits', 'content', 'network', 'operations', 'frame'],
};

const downwards: Rule = {
  name: 'districts import downwards',
  check: ({ path, imports }) => {
    const part = path.split('/')[0] as string;
    const order = districts[part];
    if (!order) return [];
    const rankOf = (file: string) => {
      const [, folder, ...rest] = file.split('/');
      const rank = rest.length > 0 ? order.indexOf(folder as string) : -1;
      return rank < 0 ? order.length : rank;
    };
    return imports.flatMap(({ target, line }): Finding[] =>
      target?.startsWith(`${part}/`) && rankOf(target) > rankOf(path)
        ? [{ line, message: `${path.split('/')[1]} may not know ${target}; move what both need down` }]
        : [],
    );
  },
};

const roles: Rule = {
  name: 'routes → service → queries → database, never upwards',
  check: ({ path, imports }) => {
    const role = roleOf(path);
    const allowed = role && allowedRoles[role];
    if (!allowed) return [];
    return imports.flatMap((found): Finding[] => {
      const target = featureFile(found);
      if (!target) return [];
      if (target.feature === featureOf(path) && target.role && !allowed.includes(target.role)) {
        // A presenter describes rows, so it may import their types.
        if (role === 'presenter' && target.role === 'queries' && found.typeOnly) return [];
        return [{ line: found.line, message: `${role} may not import ${target.role}` }];
      }
      if (target.feature === 'platform/database' && (role === 'routes' || role === 'presenter')) {
        return [{ line: found.line, message: `${role} may not reach the database; that is for queries` }];
      }
      return [];
    });
  },
};

const features: Rule = {
  name: 'features meet where they are wired',
  check: ({ path, imports }) => {
    const feature = featureOf(path);
    if (!feature || isWiring(path)) return [];
    return imports.flatMap((found): Finding[] => {
      const target = featureFile(found);
      if (!target || target.feature === feature || found.typeOnly) return [];
      return target.role && target.role !== 'presenter'
        ? [{ line: found.line, message: `have the ${target.role} of ${target.feature} handed over` }]
        : [];
    });
  },
};

/** All import rules. */
export const importRules: Rule[] = [parts, desktopTypes, packages, extensions, downwards, roles, features];

function featureFile({ target }: Import): { feature: string; role: string | undefined } | undefined {
  const feature = target && featureOf(target);
  return feature ? { feature, role: roleOf(target) } : undefined;
}

/**
 * Whether a file is wiring and may import across features. A feature's module.ts wires it, and app.ts wires the
 * modules. Commands and seed data work without the app (beside a running server or before the first start), so they
 * wire the few parts they need.
 */
function isWiring(path: string): boolean {
  return path.endsWith('/module.ts') || /^server\/operations\/(commands|seed)\//.test(path);
}

/** The district and folder of a server file, such as `content/links`; undefined for other files. */
function featureOf(path: Source['path']): string | undefined {
  const [part, district, folder, ...rest] = path.split('/');
  return part === 'server' && rest.length > 0 ? `${district}/${folder}` : undefined;
}

/** `routes` for …/links/routes.ts and …/links/trash-routes.ts; undefined for files without a role. */
function roleOf(path: string): string | undefined {
  if (!featureOf(path)) return undefined;
  return /(?:^|[/-])(routes|service|queries|presenter)\.ts$/.exec(path)?.[1];
}
