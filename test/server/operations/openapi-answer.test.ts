import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import { getHealth, getMeta, getOpenApi } from '../../../server/contract/instance.ts';
import { openApiAnswer } from '../../../server/operations/instance/openapi-answer.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const ask = (headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/api/openapi.json`, { headers: { 'Accept-Encoding': 'identity', ...headers } });

describe('the OpenAPI document', () => {
  test('is sent once: a client that has it gets 304 without a body', async () => {
    const first = await ask();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await first.json()).openapi).toBe('3.1.0');
    const again = await ask({ 'If-None-Match': etag });
    expect([again.status, (await again.text()).length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    expect(again.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect((await ask({ 'If-None-Match': '"another"' })).status).toBe(200);
  });

  test('is compressed for who accepts that, as a version of its own', async () => {
    const plain = await ask();
    const compressed = await ask({ 'Accept-Encoding': 'gzip' });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
    const size = (reply: Response) => Number(reply.headers.get('content-length'));
    expect(size(compressed)).toBeLessThan(size(plain) / 5);
    const etag = compressed.headers.get('etag') ?? '';
    expect(etag).not.toBe(plain.headers.get('etag'));
    expect(await compressed.text()).toBe(await plain.text());
    expect((await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).toBe(304);
    expect((await ask({ 'If-None-Match': etag })).status).toBe(200);
  });

  test('is built once, however many ask at once, and yields after each operation', async () => {
    const endpoints: AnyEndpoint[] = [getMeta, getHealth, getOpenApi];
    let built = 0;
    const answer = openApiAnswer({
      endpoints: () => {
        built += 1;
        return endpoints;
      },
      version: '1',
    });
    let turns = 0;
    let isDone = false;
    const asked = Promise.all(Array.from({ length: 50 }, answer)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    const answers = await asked;
    expect(built).toBe(1);
    expect(new Set(answers.map(({ plain }) => plain.body)).size).toBe(1);
    expect(turns).toBeGreaterThanOrEqual(endpoints.length);
  });
});
