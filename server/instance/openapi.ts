import { z } from 'zod';
import { type AnyEndpoint, parameterNames } from '../contract/endpoint.ts';
import { failure } from '../contract/envelope.ts';
import { neededScopes } from '../http/serve.ts';

interface Schema {
  properties?: Record<string, unknown>;
  required?: string[];
  /** The shapes of which it has one. */
  oneOf?: unknown[];
  anyOf?: unknown[];
}

/**
 * The OpenAPI 3.1 document of the endpoints, made from the contract and nothing else. Calls `pause` after each operation:
 * the whole document takes 40 to 100 ms.
 */
export async function openApiDocument(
  endpoints: readonly AnyEndpoint[],
  version: string,
  pause: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([a-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
    await pause();
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waypost',
      version,
      description:
        'Every answer is JSON with `error`: 0 on success, 1 on failure with a `message` and a stable `code`. Send your key as `Authorization: Bearer KEY`. 30 requests a minute per key unless the instance says otherwise; the X-RateLimit headers are on every answer.',
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: jsonSchema(failure, 'output') },
    },
  };
}

function operationOf(endpoint: AnyEndpoint): Record<string, unknown> {
  const failed = { $ref: '#/components/schemas/Failure' };
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    ...(endpoint.access === 'public' && { security: [] }),
    ...(endpoint.access === 'admin' && { description: 'Administrators only.' }),
    ...(endpoint.scope && { 'x-scope': neededScopes(endpoint).join(' ') }),
    parameters: parametersOf(endpoint),
    ...bodyOf(endpoint),
    responses: {
      [endpoint.status]: {
        description: 'Success.',
        ...content(withError(jsonSchema(endpoint.reply, 'output'))),
      },
      default: { description: 'Failure.', ...content(failed) },
    },
  };
}

function parametersOf(endpoint: AnyEndpoint): unknown[] {
  const inPath = parameterNames(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: endpoint.words.includes(name) ? { type: 'string' } : { type: 'integer', minimum: 1 },
  }));
  const query = jsonSchema(endpoint.query, 'input') as Schema;
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
  }));
  return [...inPath, ...inQuery];
}

function bodyOf(endpoint: AnyEndpoint): Record<string, unknown> {
  if (endpoint.rawBody)
    return { requestBody: { required: true, content: { 'application/octet-stream': {} } } };
  const schema = jsonSchema(endpoint.body, 'input');
  const hasFields = Object.keys(schema.properties ?? schema.oneOf ?? schema.anyOf ?? {}).length > 0;
  if (endpoint.method === 'GET' || !hasFields) return {};
  return { requestBody: { required: !endpoint.bodyOptional, ...content(schema) } };
}

function content(schema: unknown): Record<string, unknown> {
  return { content: { 'application/json': { schema } } };
}

function withError(schema: Schema): Schema {
  return {
    ...schema,
    properties: { error: { type: 'integer', const: 0 }, ...schema.properties },
    required: ['error', ...(schema.required ?? [])],
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest as Schema;
}

function tagOf(path: string): string {
  const noun = path.split('/')[2] ?? '';
  const tags: Record<string, string> = {
    url: 'Links',
    urls: 'Links',
    undo: 'Links',
    auth: 'Sessions',
    setup: 'Sessions',
  };
  return tags[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1);
}

function operationId(endpoint: AnyEndpoint): string {
  const words = endpoint.path
    .replace('/api/', '')
    .split(/[/:.]+/)
    .filter(Boolean);
  return [endpoint.method.toLowerCase(), ...words].join('-');
}
