import ts from 'typescript';
import { findNodes, nameOfCalled } from './door-rules.ts';
import { partOf, type Rule } from './rule.ts';
import { visit } from './source.ts';

/**
 * SQL injection rule: text interpolated into a statement must be built from constants, such as column lists, a
 * condition chosen by a function of the same file, or an allowlist of sort orders. External values must be bound.
 */
export const boundValues: Rule = {
  name: 'values are bound, not pasted into SQL',
  check: (source) => {
    if (partOf(source.path) !== 'server') return [];
    const constants = constantsOf(source.script);
    return findNodes(source, (node) => {
      if (!ts.isCallExpression(node) || !['prepare', 'exec'].includes(nameOfCalled(node) ?? ''))
        return undefined;
      const [sql] = node.arguments;
      return sql && ts.isTemplateExpression(sql) && !isConstant(sql, constants)
        ? 'bind values; only constants, and what functions of this file make, may be part of a statement'
        : undefined;
    });
  },
};

/** A file's imports, constants and functions by name, with their initializers. */
type Constants = Map<string, ts.Expression | undefined>;

function constantsOf(script: ts.SourceFile): Constants {
  const constants: Constants = new Map();
  visit(script, (node) => {
    if (ts.isImportSpecifier(node) || (ts.isFunctionDeclaration(node) && node.name)) {
      constants.set((node.name as ts.Identifier).text, undefined);
    }
    const isConstant = ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Const) !== 0;
    if (!isConstant) return;
    const loop = ts.isForOfStatement(node.parent) ? node.parent.expression : undefined;
    for (const { name, initializer } of node.declarations) {
      // Top-level constants cannot depend on function arguments.
      const isOutside = ts.isVariableStatement(node.parent) && node.parent.parent === script;
      if (ts.isIdentifier(name)) constants.set(name.text, isOutside ? undefined : (initializer ?? loop));
    }
  });
  return constants;
}

/** Whether an expression's value is independent of all function arguments. */
function isConstant(node: ts.Expression, constants: Constants): boolean {
  const all = (...parts: ts.Expression[]) => parts.every((part) => isConstant(part, constants));
  if (ts.isLiteralExpression(node) || ts.isArrowFunction(node)) return true;
  if (ts.isTemplateExpression(node)) return all(...node.templateSpans.map(({ expression }) => expression));
  if (ts.isArrayLiteralExpression(node)) return all(...node.elements);
  if (ts.isObjectLiteralExpression(node)) return true;
  if (ts.isConditionalExpression(node)) return all(node.whenTrue, node.whenFalse);
  if (ts.isBinaryExpression(node)) return all(node.left, node.right);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return all(node.expression);
  if (ts.isCallExpression(node)) return all(node.expression);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return all(node.expression);
  }
  if (!ts.isIdentifier(node) || !constants.has(node.text)) return false;
  const made = constants.get(node.text);
  return made === undefined || isConstant(made, constants);
}
