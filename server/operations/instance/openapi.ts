import type { z } from 'zod';
import { type AnyEndpoint, parameterNames } from '../../contract/endpoint.ts';
import { failure } from '../../contract/envelope.ts';
import { editedRecordOf } from '../../contract/versions.ts';
import { neededScopes } from '../../platform/http/admission.ts';
import { jsonSchema, type Schema } from './json-schema.ts';

/**
 * The OpenAPI 3.1 document of the endpoints, made from the contract and nothing else. Calls `pause` after each
 * operation: the whole document takes 40 to 100 ms.
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
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Every answer is JSON with `error`: 0 on success, 1 on failure with a `message` and a stable `code`. Send your key as `Authorization: Bearer KEY`. 30 requests a minute per key unless the instance says otherwise; the X-RateLimit headers are on every answer. Ids in bodies may be numbers or digits in a string.',
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      headers,
      responses: Object.fromEntries(
        Object.values(failures).map(({ name, description, headers: more = [] }) => [
          name,
          {
            description,
            headers: headersOf(more),
            ...content({ $ref: '#/components/schemas/Failure' }),
          },
        ]),
      ),
      schemas: { Failure: failureSchema() },
    },
  };
}

const whole = (description: string) => ({ description, required: true, schema: { type: 'integer' } });

const headers = {
  'X-RateLimit-Limit': whole('Requests per minute.'),
  'X-RateLimit-Remaining': whole('Requests left in the current minute.'),
  'X-RateLimit-Reset': whole('When the window ends, in Unix seconds.'),
  'Retry-After': whole('Seconds to wait.'),
  'WWW-Authenticate': { description: 'Always `Bearer`.', required: true, schema: { const: 'Bearer' } },
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
  },
};
type HeaderName = keyof typeof headers;

interface FailureResponse {
  name: string;
  description: string;
  headers?: HeaderName[];
}

/** The failures that clients tell apart (decision 0001). Any other status has the form of `default`. */
const failures: Record<string, FailureResponse> = {
  400: { name: 'BadRequest', description: 'Something in the request is wrong; `field` names it.' },
  401: {
    name: 'Unauthorized',
    description:
      'The key is missing, unknown, expired or revoked; when signing in, the credentials are wrong.',
    headers: ['WWW-Authenticate'],
  },
  403: { name: 'Forbidden', description: 'The key, the plan or the account does not allow this.' },
  404: { name: 'NotFound', description: 'Not found, or it belongs to another account.' },
  409: {
    name: 'Conflict',
    description:
      '`changed`: somebody has changed the record since the version that the update was made from; `data` is the record as it is. `idempotency_in_flight`: the first request with this key is under way.',
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON in UTF-8.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests, or too many attempts.',
    headers: ['Retry-After'],
  },
  default: { name: 'Failure', description: 'Any other failure.' },
};

function operationOf(endpoint: AnyEndpoint): Record<string, unknown> {
  const statuses = refusalsOf(endpoint).map(String);
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    ...(endpoint.access === 'public' && { security: [] }),
    ...descriptionOf(endpoint),
    ...(endpoint.scope && { 'x-scope': neededScopes(endpoint).join(' ') }),
    parameters: parametersOf(endpoint),
    ...bodyOf(endpoint),
    responses: {
      [endpoint.status]: successOf(endpoint),
      ...Object.fromEntries(
        [...statuses, 'default'].map((status) => [
          status,
          { $ref: `#/components/responses/${failures[status]?.name}` },
        ]),
      ),
    },
  };
}

function descriptionOf({ access, scopeRule }: AnyEndpoint): { description?: string } {
  const sentences = [access === 'admin' ? 'Administrators only.' : '', scopeRule ?? ''].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/** Statuses of the failures that an operation may end in, in order. */
function refusalsOf(endpoint: AnyEndpoint): number[] {
  const { method, access, path, query, params, rawBody, refusals } = endpoint;
  const readsBody = method !== 'GET';
  const hasIds = parameterNames(path).some((name) => !(name in params));
  const hasInput = readsBody || Object.keys(jsonSchema(query, 'input').properties ?? {}).length > 0;
  const found = new Set<number>([403, 429, ...refusals]);
  if (hasInput) found.add(400);
  if (access !== 'public') found.add(401);
  if (hasIds) found.add(404);
  if (editedRecordOf(endpoint) || endpoint.isIdempotent) found.add(409);
  if (readsBody) found.add(413);
  if (readsBody && !rawBody) found.add(415);
  return [...found].sort((one, other) => one - other);
}

function successOf(endpoint: AnyEndpoint): Record<string, unknown> {
  const media = endpoint.answers
    ? Object.entries(endpoint.answers).map(([type, schema]) => [
        type,
        { schema: jsonSchema(schema as z.ZodType, 'output') },
      ])
    : [['application/json', { schema: withError(jsonSchema(endpoint.reply, 'output')) }]];
  return {
    description: 'Success.',
    headers: headersOf(endpoint.isFile ? ['Content-Disposition'] : []),
    content: Object.fromEntries(media),
  };
}

function headersOf(more: readonly HeaderName[]): Record<string, unknown> {
  const names: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parametersOf(endpoint: AnyEndpoint): unknown[] {
  const { path, params, query: described } = endpoint;
  const inPath = parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: params[name] ? jsonSchema(params[name], 'input') : { type: 'integer', minimum: 1 },
  }));
  const query = jsonSchema(described, 'input');
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema: asText(schema),
  }));
  return [
    ...inPath,
    ...inQuery,
    ...(editedRecordOf(endpoint) ? [ifMatch] : []),
    ...(endpoint.isIdempotent ? [idempotencyKey] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A request sent again within 24 hours with the same body gets the same reply, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The version of the record that the update is made from, such as "7", or * for any. It may stand in the body as `version` as well; without either the last write wins.',
  schema: { type: 'string', pattern: '^(\\*|"[1-9][0-9]{0,14}")$' },
};

/** In a query everything is text, so that a number and its digits are the same. */
function asText(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const number = anyOf?.find(({ type }) => type === 'integer');
  if (!number) return schema;
  const { minimum } = number;
  return { type: 'integer', ...(minimum !== undefined && minimum > 0 && { minimum }), ...rest };
}

function bodyOf(endpoint: AnyEndpoint): Record<string, unknown> {
  if (endpoint.rawBody) {
    const schema = { type: 'string', format: 'binary' };
    const media = { 'application/octet-stream': { schema }, '*/*': { schema } };
    return { requestBody: { description: 'The file content.', required: true, content: media } };
  }
  const described = jsonSchema(endpoint.body, 'input');
  const schema = editedRecordOf(endpoint) ? withVersion(described) : described;
  const hasFields = Object.keys(schema.properties ?? schema.oneOf ?? schema.anyOf ?? {}).length > 0;
  if (endpoint.method === 'GET' || !hasFields) return {};
  return {
    requestBody: { required: (schema.required ?? schema.oneOf ?? []).length > 0, ...content(schema) },
  };
}

function content(schema: unknown): Record<string, unknown> {
  return { content: { 'application/json': { schema } } };
}

/** What every update takes beside its own fields (`platform/http/versions.ts`). */
function withVersion(schema: Schema): Schema {
  const version = {
    type: 'integer',
    minimum: 1,
    description: 'The version of the record that the update is made from.',
  };
  return { ...schema, properties: { ...schema.properties, version } };
}

function withError(schema: Schema): Schema {
  return {
    ...schema,
    properties: { error: { type: 'integer', const: 0 }, ...schema.properties },
    required: ['error', ...(schema.required ?? [])],
  };
}

/** Ours: other services of this interface send `error` as a string or a boolean, too. */
function failureSchema(): Schema {
  const schema = jsonSchema(failure, 'output');
  return { ...schema, properties: { ...schema.properties, error: { type: 'integer', const: 1 } } };
}

function tagOf(path: string): string {
  const resource = path.split('/')[2] ?? '';
  const tags: Record<string, string> = {
    url: 'Links',
    urls: 'Links',
    undo: 'Links',
    auth: 'Sessions',
    setup: 'Sessions',
    'openapi.json': 'Meta',
  };
  return tags[resource] ?? resource.charAt(0).toUpperCase() + resource.slice(1);
}

function operationId(endpoint: AnyEndpoint): string {
  const words = endpoint.path
    .replace('/api/', '')
    .split(/[/:.]+/)
    .filter(Boolean);
  return [endpoint.method.toLowerCase(), ...words].join('-');
}
