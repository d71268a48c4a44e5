import { type OpenApi, resolved, type Schema } from './openapi.ts';

/** One row of a schema table. */
export interface SchemaRow {
  /** `data.urls[].id`; unique in its table. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  /** Constraints and enum values: `1 to 100`, `date, clicks, name`. */
  readonly limits: string;
  readonly description: string;
}

/** Maximum nesting depth; deeper objects are shown as their type only. */
const deepest = 4;

/** The fields of an object schema as table rows, nested ones after their parent. */
export function schemaRows(schema: Schema, document: OpenApi, parent = '', depth = 0): SchemaRow[] {
  const object = withoutNull(resolved(schema, document), document);
  const required = new Set(object.required ?? []);
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
    const field = withoutNull(resolved(property, document), document);
    const path = parent ? `${parent}.${name}` : name;
    const row: SchemaRow = {
      path,
      name,
      depth,
      type: typeName(property, document),
      required: required.has(name),
      limits: limits(field),
      description: property.description ?? field.description ?? '',
    };
    if (depth >= deepest) return [row];
    const nested = field.type === 'array' && field.items ? field.items : field;
    return [row, ...schemaRows(nested, document, path, depth + 1)];
  });
}

/** The type as text: `integer`, `string[]`, `string or null`, `map of integer`. */
export function typeName(schema: Schema, document: OpenApi): string {
  const known = resolved(schema, document);
  const choices = known.anyOf ?? known.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeName(choice, document)))].join(' or ');
  if (known.allOf) return [...new Set(known.allOf.map((part) => typeName(part, document)))].join(' and ');
  if (Array.isArray(known.type)) return known.type.join(' or ');
  if (known.type === 'array') return known.items ? `${grouped(typeName(known.items, document))}[]` : 'array';
  if (known.type === 'object' && !known.properties && typeof known.additionalProperties === 'object') {
    return `map of ${typeName(known.additionalProperties, document)}`;
  }
  if (typeof known.type === 'string') return known.type;
  if (known.const !== undefined) return JSON.stringify(known.const);
  return known.enum ? 'string' : 'any';
}

function grouped(type: string): string {
  return type.includes(' ') ? `(${type})` : type;
}

/** Reduces `anyOf: [X, null]` to X; the type name says that it may be null. Several objects are merged into one. */
function withoutNull(schema: Schema, document: OpenApi): Schema {
  const choices = (schema.anyOf ?? schema.oneOf)?.filter((choice) => choice.type !== 'null') ?? [];
  const known = choices.map((choice) => resolved(choice, document));
  const objects = known.filter((choice) => choice.properties);
  if (objects.length > 1) return merged(objects);
  return objects[0] ?? known.find((choice) => choice.items) ?? known[0] ?? schema;
}

/** The union of all objects' fields; required are those required by every object. */
function merged(objects: readonly Schema[]): Schema {
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const properties = [...names].map((name) => {
    const fields = objects.flatMap((object) => object.properties?.[name] ?? []);
    const different = [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
    return [name, different.length > 1 ? oneOf(different) : (different[0] ?? {})] as const;
  });
  const required = [...names].filter((name) => objects.every((object) => object.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function oneOf(fields: readonly Schema[]): Schema {
  const words = fields.map((field) => field.const);
  return words.includes(undefined) ? { anyOf: fields } : { type: 'string', enum: words };
}

function limits(schema: Schema): string {
  const said: string[] = [];
  if (schema.enum) said.push(schema.enum.map(String).join(', '));
  if (schema.const !== undefined) said.push(JSON.stringify(schema.const));
  if (schema.format) said.push(schema.format);
  // Zod uses the largest safe integer for unbounded values; omit it.
  const [least, most] = [schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength].map(
    (bound) => (bound !== undefined && Math.abs(bound) < 2 ** 53 - 1 ? bound : undefined),
  );
  const unit = schema.maxLength !== undefined || schema.minLength !== undefined ? ' characters' : '';
  if (least !== undefined && most !== undefined) said.push(`${least} to ${most}${unit}`);
  else if (most !== undefined) said.push(`at most ${most}${unit}`);
  else if (least !== undefined && least > 0) said.push(`at least ${least}${unit}`);
  if (schema.default !== undefined) said.push(`default ${JSON.stringify(schema.default)}`);
  return said.join(' · ');
}
