import { z } from 'zod';
import { isAlwaysSent } from '../../contract/envelope.ts';
import { flagless } from './flagless-patterns.ts';

/** A JSON Schema (2020-12) as far as it is looked into here. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  /** The shapes of which it has one. */
  oneOf?: Schema[];
  anyOf?: Schema[];
  minimum?: number;
  [keyword: string]: unknown;
}

/**
 * The JSON Schema of what is sent (`input`) or answered (`output`). Says as much as the contract does: what a
 * transformed text must be in the end, patterns without flags, members that this server always sends.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema: made }) => {
      const target = made as Schema;
      const { def } = zodSchema._zod;
      if (def.type === 'pipe' && io === 'input' && target.type === 'string') narrow(target, def.out);
      if (def.type === 'string') writePatterns(target, patternsOf(zodSchema));
      // Names of formats that only this library knows; their patterns stay.
      if (typeof target.format === 'string' && target.format.startsWith('cidr')) delete target.format;
      if (def.type === 'object') requireAlwaysSent(target, def.shape);
    },
  });
  return rest as Schema;
}

/** A text that is trimmed or normalized before it is looked at has the bounds of what it becomes. */
function narrow(target: Schema, out: z.core.$ZodType): void {
  const { type, ...bounds } = jsonSchema(out as z.ZodType, 'input');
  if (type === 'string') Object.assign(target, bounds);
}

function patternsOf(schema: z.core.$ZodType): RegExp[] {
  const { def } = schema._zod;
  const parts = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as { pattern?: unknown }[];
  return parts.flatMap(({ pattern }) => (pattern instanceof RegExp ? [pattern] : []));
}

/** zod writes the source of each pattern and drops its flags, which JSON Schema has no place for. */
function writePatterns(target: Schema, patterns: readonly RegExp[]): void {
  const { pattern, allOf = [] } = target as { pattern?: string; allOf?: { pattern: string }[] };
  const written = pattern === undefined ? allOf.map((each) => each.pattern) : [pattern];
  // What was written into the contract itself stays.
  const sources = written.flatMap((source) => {
    const known = patterns.find((each) => each.source === source);
    return known ? (flagless(known) ?? []) : [source];
  });
  delete target.pattern;
  delete target.allOf;
  if (sources.length === 1) target.pattern = sources[0];
  else if (sources.length > 1) target.allOf = sources.map((each) => ({ pattern: each }));
}

function requireAlwaysSent(target: Schema, shape: z.core.$ZodShape): void {
  const always = Object.keys(shape).filter((name) => isAlwaysSent(shape[name] as z.core.$ZodType));
  if (always.length > 0) target.required = [...new Set([...(target.required ?? []), ...always])];
}
