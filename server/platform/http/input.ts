import type { z } from 'zod';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { type FieldProblem, notFound, rejected, rejectedFields, unknownEndpoint } from '../errors.ts';
import { pathOfUnstorable, unstorable } from './body.ts';
import { fieldMessage } from './field-messages.ts';

/**
 * Ids are positive integers in canonical decimal form; any other spelling gets 404 (decision 0002). They are read from
 * the raw path, because `%31` is another spelling that the router's parameters do not show.
 */
export function readIds(endpoint: AnyEndpoint, path: string): Record<string, number> {
  const ids: Record<string, number> = {};
  const sent = path.split('/');
  for (const [index, segment] of endpoint.path.split('/').entries()) {
    const name = segment.slice(1);
    if (!segment.startsWith(':') || name in endpoint.params) continue;
    const text = sent[index] ?? '';
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(id)) throw notFound();
    ids[name] = id;
  }
  return ids;
}

/** Reads the parameters that are not ids. A value outside the contract is an unknown path: 404. */
export function readParams(endpoint: AnyEndpoint, sent: Record<string, string>): Record<string, unknown> {
  const schemas = Object.entries(endpoint.params as Record<string, z.ZodType>);
  return Object.fromEntries(
    schemas.map(([name, schema]) => {
      const parsed = schema.safeParse(sent[name]);
      if (!parsed.success) throw unknownEndpoint();
      return [name, parsed.data];
    }),
  );
}

/** A query, with the same restrictions on strings as a body: SQLite would cut a search at NUL. Throws 400. */
export function storable<Query extends object>(query: Query): Query {
  const [field] = pathOfUnstorable(query) ?? [];
  if (field !== undefined) throw rejected('invalid_value', field, unstorable);
  return query;
}

/** The largest input for which all errors are collected: more values than any form has fields. */
const mostLookedAt = 500;
/** The maximum number of fields that one error lists. */
const mostNamed = 100;

/**
 * Parses input with a contract schema. Throws 400 with all invalid fields; for long input only the first one, as
 * describing ten thousand errors takes 40 ms and a megabyte.
 */
export function parseWith<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = safelyParsed(schema, input);
  if (parsed.success) return parsed.data;
  throw rejectedFields(parsed.error.issues.slice(0, mostNamed).map((issue) => problemOf(issue, input)));
}

/** What remains of a number of values after counting those of an input; below 0 as soon as it has more. */
function valuesLeft(input: unknown, most: number): number {
  let left = most - 1;
  if (typeof input !== 'object' || input === null) return left;
  for (const value of Object.values(input)) {
    if (left < 0) break;
    left = valuesLeft(value, left);
  }
  return left;
}

function safelyParsed<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  // The library's own `validate` uses the same parser option. If it stops working, the test of long requests fails.
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    error: fieldMessage,
    abortEarly: valuesLeft(input, mostLookedAt) < 0,
  };
  return safeParse(schema, input, context);
}

function problemOf(issue: z.core.$ZodIssue, input: unknown): FieldProblem {
  const field = issue.path.map(String).join('.') || 'body';
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') {
    const missing = valueAt(input, issue.path) === undefined;
    return missing
      ? { field, code: 'required', message: `Send the field ${field}.` }
      : {
          field,
          code: 'invalid_type',
          message: messageOfUnion(issue) ?? `The field ${field} has the wrong type.`,
        };
  }
  return { field, code: 'invalid_value', message: issue.message };
}

/** In a union, only the branch matching the value's type has a useful message; it may be a union itself. */
function messageOfUnion(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  for (const inner of issue.errors.flat()) {
    const isSilent = inner.code === 'invalid_type' || inner.code === 'invalid_value';
    const message =
      inner.code === 'invalid_union' ? messageOfUnion(inner) : isSilent ? undefined : inner.message;
    if (message !== undefined) return message;
  }
  return undefined;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
