import ts from 'typescript';
import { partOf, type Rule } from './rule.ts';

const VAGUE = /(^|[-./])(utils?|helpers?|managers?|common|misc)([-./]|$)/;

const entries = ['main/index.ts', 'preload/index.ts', 'server/index.ts'];

const fileNames: Rule = {
  name: 'files are kebab-case, components PascalCase',
  check: ({ path }) => {
    const name = path.split('/').at(-1) as string;
    const isFine = name.endsWith('.vue')
      ? /^[A-Z][A-Za-z0-9]*\.vue$/.test(name)
      : /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/.test(name);
    return isFine
      ? []
      : [{ line: 1, message: `${name} should be ${name.endsWith('.vue') ? 'PascalCase' : 'kebab-case'}` }];
  },
};

const vagueNames: Rule = {
  name: 'names say what is inside',
  check: ({ path }) =>
    VAGUE.test(path.toLowerCase())
      ? [{ line: 1, message: 'utils, helpers, manager and common say nothing' }]
      : [],
};

const barrels: Rule = {
  name: 'no barrel files',
  check: ({ path, script }) => {
    // The mock of the electron module must be a single file that exports everything.
    if (partOf(path) === 'test') return [];
    const { statements } = script;
    const isBarrel =
      statements.length > 0 &&
      statements.every((node) => ts.isExportDeclaration(node) && node.moduleSpecifier);
    const isIndex = path.endsWith('/index.ts') && !entries.includes(path);
    return isBarrel || isIndex
      ? [{ line: 1, message: 'import from the file that has it; index.ts is for the three entries' }]
      : [];
  },
};

const migrations: Rule = {
  name: 'migrations are numbered',
  check: ({ path }) =>
    path.endsWith('.sql') && path.startsWith('server/') && !/\/migrations\/\d{4}-[a-z0-9-]+\.sql$/.test(path)
      ? [{ line: 1, message: 'name it migrations/0001-what-it-does.sql' }]
      : [],
};

/** Rules for file names. */
export const nameRules: Rule[] = [fileNames, vagueNames, barrels, migrations];
