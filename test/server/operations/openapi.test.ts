import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

interface Operation {
  operationId: string;
  security?: unknown[];
  responses: Record<string, { $ref?: string }>;
  requestBody?: { content: Record<string, { schema?: Record<string, unknown> }> };
}

let server: TestApp;
let operations: Map<string, Operation>;
let components: { responses: Record<string, { headers: Record<string, unknown> }> };
beforeAll(async () => {
  server = await startApp();
  const { body } = await server.request('GET', '/api/openapi.json', { key: null });
  components = body.components;
  const paths = body.paths as Record<string, Record<string, Operation>>;
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  );
});
afterAll(() => server.close());

test('each operation in the OpenAPI document has a unique name', () => {
  expect(operations.size).toBeGreaterThan(100);
  expect(new Set([...operations.values()].map(({ operationId }) => operationId)).size).toBe(operations.size);
});

test('everything that is created or updated has a body schema, also with several shapes', () => {
  const bare = [...operations].filter(([, { requestBody }]) => !requestBody).map(([name]) => name);
  // A backup is made of everything, so there is nothing to say.
  expect(bare.filter((name) => /^(post .*\/add$|put .*\/update$|post .*\/preview$)/.test(name))).toEqual([
    'post /api/backup/add',
  ]);
  const overlay = operations.get('post /api/overlay/add')?.requestBody?.content['application/json']?.schema;
  expect(overlay?.oneOf ?? overlay?.anyOf).toHaveLength(6);
});

test('each operation says that it may be limited or forbidden, and whether it requires a key', () => {
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  for (const [name, { security, responses }] of operations) {
    const refusals = ['403', '429', ...(security?.length === 0 ? [] : ['401'])];
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining(refusals));
    for (const status of refusals) {
      const { headers } = components.responses[responses[status]?.$ref?.split('/').at(-1) ?? ''] ?? {};
      const told = [...limits, ...(status === '429' ? ['Retry-After'] : [])];
      expect(Object.keys(headers ?? {}), `${name} ${status}`).toEqual(expect.arrayContaining(told));
    }
  }
});

test('patterns of parameters match upper and lower case alike, as the server does', () => {
  const sent = JSON.stringify([...operations.values()].map(({ requestBody }) => requestBody));
  const patterns = [...sent.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '']) => new RegExp(JSON.parse(text) as string, 'u'),
  );
  expect(patterns.length).toBeGreaterThan(20);
  const colors = patterns.filter((pattern) => pattern.test('#ab3fe9') && !pattern.test('ab3fe9'));
  expect(colors.length).toBeGreaterThan(5);
  for (const color of colors) expect(color.test('#AB3fE9'), String(color)).toBe(true);
});
