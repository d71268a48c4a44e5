import fc from 'fast-check';
import type { Operation, Parameter, Schema } from './openapi.ts';

/** A request generated from the document. */
export interface FuzzedRequest {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The sender: an administrator, a key that may only read links, or nobody. */
  sender: 'administrator' | 'reader' | 'nobody';
}

/** What no schema asks for. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e21,
    9_007_199_254_740_992,
    true,
    [],
    [null],
    {},
    '0',
    '01',
    '1e3',
    '٣',
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    "'; DROP TABLE links; --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    'javascript:alert(1)',
    'x'.repeat(9_000),
    '𝕏'.repeat(500),
    '2026-02-31',
    '0000-00-00 00:00:00',
    '9999-12-31',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Ids that usually exist. */
const id = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(99_999));

/** Requests of one operation: valid ones, nearly valid ones and hostile ones. */
export function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const media = operation.requestBody?.content ?? {};
  const schema = media['application/json']?.schema;
  const isUpload = media['application/octet-stream'] !== undefined;
  const valid = schema ? valuesOf(schema) : fc.constant(undefined);
  const body = isUpload ? fc.string({ maxLength: 200 }) : bodyText(valid);
  const type = fc.oneof(
    { weight: 30, arbitrary: fc.constant(isUpload ? 'application/octet-stream' : 'application/json') },
    fc.constantFrom(
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json; charset=latin1',
      '',
    ),
  );
  return fc
    .record({
      path: pathOf(operation),
      query: queryOf(operation.parameters.filter((parameter) => parameter.in === 'query')),
      body: operation.method === 'GET' ? fc.constant(undefined) : body,
      type,
      sender: fc.oneof(
        { weight: 20, arbitrary: fc.constant('administrator' as const) },
        fc.constantFrom('reader' as const, 'nobody' as const),
      ),
    })
    .map(
      ({ path, query, body: text, type: contentType, sender }): FuzzedRequest => ({
        operation,
        path: path + query,
        headers: headersFor(text, contentType),
        body: text,
        sender,
      }),
    );
}

function headersFor(body: string | undefined, type: string): Record<string, string> {
  return body === undefined || type === '' ? {} : { 'content-type': type };
}

function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path');
  const odd = fc.constantFrom('0', '-1', '01', '1e3', '%31', '1%00', '99999999999999999999', 'add', '..%2f');
  const values = names.map(({ schema }) =>
    fc.oneof(
      { weight: 12, arbitrary: schema.type === 'integer' ? id.map(String) : valuesOf(schema).map(segment) },
      odd,
    ),
  );
  return fc
    .tuple(...values)
    .map((filled) =>
      names.reduce((text, { name }, index) => text.replace(`{${name}}`, filled[index] ?? ''), path),
    );
}

/** No segment may be empty: it would be another path. */
function segment(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed()).replace(/^\.*$/, 'x') || 'x';
}

function queryOf(parameters: Parameter[]): fc.Arbitrary<string> {
  const odd = hostile.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const members = parameters.map(({ name, required, schema }) =>
    fc.oneof(
      { weight: 3, arbitrary: valuesOf(schema).map((value) => [[name, String(value)]]) },
      { weight: required ? 0 : 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: odd.map((value) => [[name, value]]) },
    ),
  );
  return fc.tuple(...members).map((pairs) => {
    const text = pairs
      .flat()
      .map(([name, value]) => `${name}=${encodeURIComponent((value ?? '').toWellFormed())}`)
      .join('&');
    return text && `?${text}`;
  });
}

function bodyText(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> {
  const nearly = fc
    .tuple(valid, fc.nat(), hostile, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, at, other, change]) => JSON.stringify(changed(value, at, other, change)));
  return fc.oneof(
    { weight: 5, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: nearly },
    { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '{"a":1,}',
        'null',
        '[]',
        '"text"',
        `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
        `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
        '{"__proto__":{"admin":true}}',
        `{"a":"${'x'.repeat(1_100_000)}"}`,
      ),
    },
  );
}

/** One member, at any depth, is replaced, omitted or added. */
function changed(value: unknown, at: number, other: unknown, change: string): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  const keys = Object.keys(copy);
  if (change === 'add' || keys.length === 0) return { ...copy, unexpected: other };
  const key = keys[at % keys.length] as string;
  const inner = copy[key];
  if (change === 'remove') delete copy[key];
  else if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && at % 2 === 0) {
    copy[key] = changed(inner, Math.floor(at / 2), other, change);
  } else copy[key] = other;
  return copy;
}

/** Values that fit a schema. */
function valuesOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, name)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (schema.type) {
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ ...bounds(schema), noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return texts(schema, name);
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as Schema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), Math.max(3, Number(schema.minItems ?? 0))),
      });
    case 'object':
      return objects(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const value = valuesOf(member, name);
      const absent = { weight: 3, arbitrary: fc.constant(undefined) };
      return [name, required.includes(name) ? value : fc.oneof({ weight: 1, arbitrary: value }, absent)];
    }),
  );
  // What is undefined is not written into JSON.
  return fc.record(members);
}

function integers(schema: Schema): fc.Arbitrary<number> {
  const { min = -1_000, max = 1_000_000 } = bounds(schema);
  const small = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, Math.max(min, 5))) });
  return fc.oneof({ weight: 4, arbitrary: small }, fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
}

function bounds({ minimum, maximum, exclusiveMinimum }: Schema): { min?: number; max?: number } {
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : Number(exclusiveMinimum) + 1);
  return {
    ...(min !== undefined && { min: Math.max(Number(min), -1e9) }),
    ...(maximum !== undefined && { max: Math.min(Number(maximum), 1e9) }),
  };
}

/** Members whose texts mean something that no schema says. */
const sensible: Record<string, fc.Arbitrary<string>> = {
  url: fc.webUrl(),
  link: fc.webUrl(),
  timezone: fc.constantFrom('Europe/Berlin', 'UTC', 'america/new_york', 'Nowhere/City'),
  domain: fc.constantFrom('1', 'go.example.com', 'https://links.example.com', 'localhost'),
  alias: fc.stringMatching(/^[a-z]{1,8}$/),
  custom: fc.stringMatching(/^[a-z]{1,8}$/),
  location: fc.constantFrom('Germany', 'FR', 'Atlantis'),
  device: fc.constantFrom('iPhone', 'Desktop', 'Toaster'),
};

const ofPatterns = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. fast-check takes longer to parse most patterns than to generate texts. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = ofPatterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  ofPatterns.set(pattern, known);
  return known;
}

function texts(schema: Schema, name: string): fc.Arbitrary<string> {
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.min(Number(schema.maxLength ?? 40), Math.max(minLength, 40));
  const plain = fc.oneof(
    fc.string({ minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
  );
  if (schema.format === 'email') return fc.stringMatching(/^[a-z]{1,8}@example\.com$/);
  if (schema.format === 'uri') return fc.webUrl();
  const known = sensible[name];
  if (known) return fc.oneof({ weight: 4, arbitrary: known }, plain);
  // Look-arounds cannot be generated from, and texts made from a pattern are seldom long; plain ones are nearly valid.
  if (typeof schema.pattern !== 'string' || minLength > 3 || /\(\?[=!<]/.test(schema.pattern)) return plain;
  return matching(schema.pattern).map((text) => text.slice(0, Number(schema.maxLength ?? 10_000)));
}
