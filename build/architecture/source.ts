import ts from 'typescript';

/** A static or dynamic import, or a re-export. */
export interface Import {
  /** As written: a package, `node:…`, or a relative path. */
  specifier: string;
  /** The resolved path of a relative import, from the project root; undefined for packages. */
  target: string | undefined;
  /** Whether it is erased when types are stripped. */
  typeOnly: boolean;
  line: number;
}

/** A source file, parsed once for all rules. */
export interface Source {
  /** Relative to the project root, with forward slashes. */
  path: string;
  text: string;
  /** The parsed script; for a Vue file its script blocks, at their original lines. */
  script: ts.SourceFile;
  imports: Import[];
}

/** Parses a TypeScript or Vue file; the script of any other file is empty. */
export function parseSource(path: string, text: string): Source {
  const script = ts.createSourceFile(
    path,
    scriptOf(path, text),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TS,
  );
  const imports: Import[] = [];
  visit(script, (node) => {
    const found = importOf(node);
    if (!found) return;
    imports.push({
      ...found,
      target: found.specifier.startsWith('.') ? resolveFrom(path, found.specifier) : undefined,
      line: lineOf(script, node),
    });
  });
  return { path, text, script, imports };
}

/** Calls `look` for every node of a tree, parents before children. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** The 1-based line of a node. */
export function lineOf(script: ts.SourceFile, node: ts.Node): number {
  return script.getLineAndCharacterOfPosition(node.getStart(script)).line + 1;
}

/** Blanks out all but the scripts of a Vue file, keeping line numbers. */
function scriptOf(path: string, text: string): string {
  if (path.endsWith('.ts')) return text;
  if (!path.endsWith('.vue')) return '';
  let script = '';
  let last = 0;
  for (const block of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)) {
    const start = block.index + (block[1] as string).length;
    const code = block[2] as string;
    script += text.slice(last, start).replace(/[^\n]/g, ' ') + code;
    last = start + code.length;
  }
  return script;
}

function importOf(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: bringsOnlyTypes(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    return ts.isStringLiteral(literal) ? { specifier: literal.text, typeOnly: true } : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument && ts.isStringLiteral(argument)
      ? { specifier: argument.text, typeOnly: false }
      : undefined;
  }
  return undefined;
}

function bringsOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    !clause.name &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

function resolveFrom(path: string, specifier: string): string {
  const [file] = specifier.split('?') as [string];
  const segments = path.split('/').slice(0, -1);
  for (const segment of file.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
