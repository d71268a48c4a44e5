import ts from 'typescript';
import { type Finding, isProduct, partOf, type Rule } from './rule.ts';
import { lineOf, type Source, visit } from './source.ts';

const databases: Rule = {
  name: 'databases are opened in server/platform/database',
  check: (source) =>
    !isProduct(source.path) || source.path.startsWith('server/platform/database/')
      ? []
      : findNodes(source, (node) =>
          ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Database'
            ? 'open databases under server/platform/database/ only'
            : undefined,
        ),
};

const interProcess: Rule = {
  name: 'ipcMain is used in main/shell/ipc.ts',
  check: (source) =>
    !isProduct(source.path) || source.path === 'main/shell/ipc.ts'
      ? []
      : findNodes(source, (node) =>
          ts.isIdentifier(node) && node.text === 'ipcMain'
            ? 'use ipcMain in main/shell/ipc.ts only'
            : undefined,
        ),
};

const openExternal: Rule = {
  name: 'shell.openExternal is used in main/shell/open-external.ts',
  check: (source) =>
    !isProduct(source.path) || source.path === 'main/shell/open-external.ts'
      ? []
      : findNodes(source, (node) =>
          ts.isPropertyAccessExpression(node) &&
          node.name.text === 'openExternal' &&
          ts.isIdentifier(node.expression) &&
          node.expression.text === 'shell'
            ? 'call shell.openExternal in main/shell/open-external.ts only'
            : undefined,
        ),
};

const environment: Rule = {
  name: 'the environment is read in server/platform/config.ts and main/index.ts',
  check: (source) =>
    !isProduct(source.path) || ['server/platform/config.ts', 'main/index.ts'].includes(source.path)
      ? []
      : findNodes(source, (node) => {
          const isRead =
            (ts.isPropertyAccessExpression(node) && node.getText(source.script) === 'process.env') ||
            (ts.isImportSpecifier(node) &&
              (node.propertyName ?? node.name).text === 'env' &&
              importsFrom(node, 'node:process'));
          return isRead
            ? 'read process.env in server/platform/config.ts or main/index.ts and hand it over'
            : undefined;
        }),
};

const rawHtml: Rule = {
  name: 'the renderer writes no raw HTML',
  check: (source) => {
    if (partOf(source.path) !== 'renderer') return [];
    return [
      ...source.text.matchAll(/\bv-html\b|\.(inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b/g),
    ].map((match) => ({
      line: source.text.slice(0, match.index).split('\n').length,
      message: `${match[0]} would run what users wrote; use text`,
    }));
  },
};

/** Web APIs limited to secure contexts; an instance may also be reached over plain HTTP. */
const SECURE_ALONE =
  /\bcrypto\.(randomUUID|subtle)\b|\bnavigator\.(clipboard|share|serviceWorker|storage|locks|wakeLock|mediaDevices|geolocation|credentials)\b|\b(caches|cookieStore)\.|\bshow(OpenFile|SaveFile|Directory)Picker\b|\bnew Notification\b/g;

/** These files fall back if the API is missing. */
const WITH_FALLBACK = ['renderer/ui/copy-text.ts', 'renderer/ui/copy-picture.ts', 'renderer/installable.ts'];

const secureAlone: Rule = {
  name: 'the renderer works over plain HTTP',
  check: (source) =>
    partOf(source.path) !== 'renderer' || WITH_FALLBACK.includes(source.path)
      ? []
      : [...codeOf(source).matchAll(SECURE_ALONE)].map((match) => ({
          line: source.text.slice(0, match.index).split('\n').length,
          message: `${match[0]} is missing over plain HTTP; use randomId(), copyText() or copyPicture()`,
        })),
};

/** A file's text with its comments blanked out. */
function codeOf(source: Source): string {
  return source.text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
}

const strangersReplies: Rule = {
  name: 'what others answer is checked by safeParse of server/contract',
  check: (source) =>
    !/^(main|renderer\/api)\//.test(source.path)
      ? []
      : findNodes(source, (node) =>
          ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          node.expression.name.text === 'safeParse'
            ? 'call safeParse of server/contract/safe-parse.ts: that of a schema throws for some objects'
            : undefined,
        ),
};

const rendererRequests: Rule = {
  name: 'the renderer asks the server in renderer/api',
  check: (source) =>
    partOf(source.path) !== 'renderer' || isAllowedToFetch(source.path)
      ? []
      : findNodes(source, (node) => (isFetch(node) ? 'use call() of renderer/api/client.ts' : undefined)),
};

function isAllowedToFetch(path: string): boolean {
  // main.ts is the entry point and passes `fetch` to the transport.
  return path.startsWith('renderer/api/') || path === 'renderer/main.ts';
}

/** Sends requests to user-supplied addresses, with protection against SSRF. */
const FETCHER = 'server/platform/fetcher/';

const outgoing: Rule = {
  name: 'the server asks others through one fetcher',
  check: (source) =>
    partOf(source.path) !== 'server' || source.path.startsWith(FETCHER)
      ? []
      : [
          ...findNodes(source, (node) => (isFetch(node) ? `request through ${FETCHER} only` : undefined)),
          ...source.imports
            .filter(({ specifier, typeOnly }) => specifier === 'undici' && !typeOnly)
            .map(({ line }) => ({ line, message: `request through ${FETCHER} only` })),
        ],
};

const FILE_CALL = /^(readFile|copyFile|cp|open|createReadStream|readv?|writeFile|truncate|rename)(Sync)?$/;

const liveDatabase: Rule = {
  name: 'no fs on the live database',
  check: (source) =>
    partOf(source.path) !== 'server'
      ? []
      : findNodes(source, (node) => {
          if (!ts.isCallExpression(node)) return undefined;
          const name = nameOfCalled(node);
          const [first] = node.arguments;
          const isDatabase =
            first && /(database|db)(file|path)\b|\.(db|sqlite3?)\b/i.test(first.getText(source.script));
          return name && FILE_CALL.test(name) && isDatabase
            ? `${name} drops SQLite's locks on the file; use db.backup() or VACUUM INTO`
            : undefined;
        }),
};

const pureComputed: Rule = {
  name: 'computed values change nothing',
  check: (source) =>
    partOf(source.path) !== 'renderer'
      ? []
      : findNodes(source, (node) => {
          if (!ts.isBinaryExpression(node) || !isAssignment(node.operatorToken.kind)) return undefined;
          return /\.value$/.test(node.left.getText(source.script)) && isInsideComputed(node)
            ? 'a computed value may not assign; use watch or an event'
            : undefined;
        }),
};

/** Rules for APIs that only one file may use, and for those that none may. */
export const doorRules: Rule[] = [
  databases,
  interProcess,
  openExternal,
  environment,
  rawHtml,
  secureAlone,
  strangersReplies,
  rendererRequests,
  outgoing,
  liveDatabase,
  pureComputed,
];

/** Findings for the nodes of a file for which `judge` returns a message. */
export function findNodes(source: Source, judge: (node: ts.Node) => string | undefined): Finding[] {
  const findings: Finding[] = [];
  visit(source.script, (node) => {
    const message = judge(node);
    if (message) findings.push({ line: lineOf(source.script, node), message });
  });
  return findings;
}

function importsFrom(node: ts.ImportSpecifier, specifier: string): boolean {
  const { moduleSpecifier } = node.parent.parent.parent;
  return ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === specifier;
}

/** The name of the called function: `prepare` for both `prepare(…)` and `database.prepare(…)`. */
export function nameOfCalled(node: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(node.expression)) return node.expression.text;
  return ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : undefined;
}

/**
 * Whether a node calls the global `fetch`, as opposed to a parameter or import of that name, which tests can replace.
 */
function isFetch(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const called = node.expression;
  if (ts.isPropertyAccessExpression(called)) {
    return (
      called.name.text === 'fetch' && ['globalThis', 'window', 'self'].includes(called.expression.getText())
    );
  }
  return ts.isIdentifier(called) && called.text === 'fetch';
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Whether a node is evaluated by a `computed(() => …)` getter; setters and nested handlers are not. */
function isInsideComputed(node: ts.Node): boolean {
  for (let inner = node; inner.parent; inner = inner.parent) {
    if (!ts.isArrowFunction(inner) && !ts.isFunctionExpression(inner)) continue;
    const call = inner.parent;
    return ts.isCallExpression(call) && nameOfCalled(call) === 'computed';
  }
  return false;
}
