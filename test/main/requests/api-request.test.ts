import { afterEach, describe, expect, test } from 'vitest';
import { tokenKeeper } from '../../../main/instances/keep-token.ts';
import { signInAt } from '../../../main/instances/sign-in.ts';
import { type ApiRequests, apiRequests } from '../../../main/requests/api-request.ts';
import type { Fetcher } from '../../../main/requests/fetcher.ts';
import {
  answerJson,
  type DesktopParts,
  type HttpStandIn,
  httpServer,
  instancesAt,
  memoryLog,
} from '../../support/desktop-parts.ts';

const servers: HttpStandIn[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('a request of the page', () => {
  test('arrives as it was meant, with the key of its instance', async () => {
    const { requests, server } = await requestsTo(
      (_, response) => answerJson(response, { error: 0 }),
      'the key',
    );
    const reply = await requests.send('local', '1', {
      method: 'PUT',
      path: '/api/url/7/update?a=%2F..%2F&b=1',
      body: { title: 'Ä', note: null },
    });
    expect(reply).toMatchObject({ status: 200, body: { error: 0 } });
    expect(server.seen).toMatchObject([
      {
        method: 'PUT',
        url: '/api/url/7/update?a=%2F..%2F&b=1',
        body: '{"title":"Ä","note":null}',
        headers: {
          authorization: 'Bearer the key',
          'content-type': 'application/json',
          accept: 'application/json',
        },
      },
    ]);
    expect(server.seen[0]?.headers).not.toHaveProperty('cookie');
    expect(server.seen[0]?.headers).not.toHaveProperty('origin');
  });

  test('leaves nothing behind where its body is no JSON', async () => {
    const { requests } = await requestsTo((_, response) => answerJson(response, { error: 0 }));
    const request = { method: 'PUT', path: '/api/url/7/update' } as const;
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(requests.send('local', '1', { ...request, body: circle })).rejects.toThrow(TypeError);
    expect(await requests.send('local', '1', { ...request, body: {} })).toMatchObject({ status: 200 });
  });

  test('sends no body and no type of one where there is none', async () => {
    const { requests, server } = await requestsTo((_, response) => answerJson(response, {}));
    await requests.send('local', '1', { method: 'GET', path: '/api/meta' });
    expect(server.seen[0]).toMatchObject({ body: '', method: 'GET' });
    expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('brings back the headers that the page needs and no other', async () => {
    const { requests } = await requestsTo((_, response) => {
      response.writeHead(429, {
        'content-type': 'application/json',
        'retry-after': '7',
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '0',
        'set-cookie': 'a=b',
        'x-secret': 'x',
      });
      response.end('{"error":1}');
    });
    expect(await requests.send('local', '1', { method: 'GET', path: '/api/urls' })).toEqual({
      status: 429,
      headers: {
        'content-type': 'application/json',
        'retry-after': '7',
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '0',
      },
      body: { error: 1 },
    });
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<html>'],
  ])('brings back null where the answer is %s', async (_, text) => {
    const { requests } = await requestsTo((_request, response) => response.end(text));
    expect(await requests.send('local', '1', { method: 'GET', path: '/api/urls' })).toMatchObject({
      body: null,
    });
  });

  test('ends as offline when nobody listens', async () => {
    const { requests, server } = await requestsTo(() => {});
    await server.close();
    servers.length = 0;
    expect(await requests.send('local', '1', { method: 'GET', path: '/api/urls' })).toMatchObject({
      unreachable: 'offline',
    });
  });

  test('ends as offline when the line breaks in the middle of the answer', async () => {
    const { requests } = await requestsTo((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"error"', () => response.destroy());
    });
    expect(await requests.send('local', '1', { method: 'GET', path: '/api/urls' })).toMatchObject({
      unreachable: 'offline',
    });
  });

  test.each(['locked', 'foreign'] as const)(
    'says that its key is %s, and keeps it, where the key store gives none out',
    async (why) => {
      let refusal = 401;
      const { requests, secrets } = await requestsTo((request, response) => {
        if (request.url === '/api/meta') answerJson(response, { error: 0 });
        else response.writeHead(refusal).end('{"error":1}');
      });
      let whyClosed: typeof why | undefined = why;
      secrets.find = async () => undefined;
      secrets.whyClosed = () => whyClosed;
      const ask = (path: string) => requests.send('local', '1', { method: 'GET', path });
      expect(await ask('/api/meta')).toMatchObject({ status: 200 });
      expect(await ask('/api/account')).toMatchObject({ unreachable: why });
      // A server that is not ours.
      refusal = 403;
      expect(await ask('/api/account')).toMatchObject({ unreachable: why });
      expect(await ask('/api/urls')).toMatchObject({ status: 403 });
      whyClosed = undefined;
      expect(await ask('/api/account')).toMatchObject({ status: 403 });
    },
  );

  test('does not blame the server for a mistake of this app', async () => {
    const { requests, secrets } = await requestsTo(
      (_, response) => answerJson(response, { error: 0 }),
      'key',
    );
    secrets.find = () => Promise.reject(new TypeError('a mistake'));
    const asking = requests.send('local', '1', { method: 'GET', path: '/api/urls' });
    await expect(asking).rejects.toThrow('a mistake');
  });

  test('does not blame the server for a body that cannot be sent', async () => {
    const { requests, server } = await requestsTo((_, response) => answerJson(response, { error: 0 }));
    const body: { self?: unknown } = {};
    body.self = body;
    const asking = requests.send('local', '1', { method: 'POST', path: '/api/url/add', body });
    await expect(asking).rejects.toThrow('circular');
    expect(server.seen).toEqual([]);
  });

  test('ends as offline, with a sentence, while the local server is stopped', async () => {
    const parts = instancesAt({});
    parts.server.become({ state: 'stopped', message: 'No.', logFile: '' });
    const reply = await requestsWith(parts).send('local', '1', { method: 'GET', path: '/api/urls' });
    expect(reply).toEqual({ unreachable: 'offline', message: 'The server is not running.' });
  });

  test('waits for a server that is starting', async () => {
    const server = await aServer((_, response) => answerJson(response, { error: 0 }));
    const parts = instancesAt({});
    const reply = requestsWith(parts).send('local', '1', { method: 'GET', path: '/api/meta' });
    const { origin } = server;
    parts.server.become({ state: 'running', origin }, { origin, instanceId: 'data-1' });
    expect(await reply).toMatchObject({ status: 200 });
  });

  test('ends when it takes too long, waiting included', async () => {
    const silent = await requestsTo(() => {}, undefined, 100);
    const starting = requestsWith(instancesAt({}), 100);
    for (const requests of [silent.requests, starting]) {
      expect(await requests.send('local', '1', { method: 'GET', path: '/api/urls' })).toMatchObject({
        unreachable: 'timeout',
      });
    }
  });

  test('takes longer when it has a picture to send, which takes its time on a slow line', async () => {
    const { requests } = await requestsTo(
      (_, response) => setTimeout(() => answerJson(response, { error: 0 }), 400),
      undefined,
      100,
    );
    const picture = 'A'.repeat(80_000);
    const sent = { method: 'POST', path: '/api/picture/add', body: { picture } } as const;
    expect(await requests.send('local', '1', sent)).toMatchObject({ status: 200 });
    expect(await requests.send('local', '2', { method: 'GET', path: '/api/urls' })).toMatchObject({
      unreachable: 'timeout',
    });
  });

  test('ends when it is cancelled, and closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { requests, server } = await requestsTo((_, response) =>
      response.on('close', () => closed.resolve()),
    );
    const reply = requests.send('local', '1', { method: 'GET', path: '/api/urls' });
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    requests.cancel('another');
    requests.cancel('1');
    expect(await reply).toMatchObject({ unreachable: 'cancelled' });
    await closed.promise;
  });

  test('leaves nothing behind when its page goes', async () => {
    const { requests } = await requestsTo(() => {});
    const replies = ['1', '2'].map((id) => requests.send('local', id, { method: 'GET', path: '/api/urls' }));
    requests.cancelAll();
    for (const reply of replies) expect(await reply).toMatchObject({ unreachable: 'cancelled' });
  });

  test('is refused under the name of one that is under way', async () => {
    const { requests } = await requestsTo(() => {});
    const first = requests.send('local', '1', { method: 'GET', path: '/api/urls' });
    await expect(requests.send('local', '1', { method: 'GET', path: '/api/urls' })).rejects.toThrow(
      'already running',
    );
    requests.cancelAll();
    await first;
  });

  test('to a remote instance goes through Chromium, to our own server through Node', async () => {
    const used: string[] = [];
    const fetcher =
      (name: string): Fetcher =>
      async () => {
        used.push(name);
        return Response.json({});
      };
    const parts = instancesAt({
      local: { origin: 'http://127.0.0.1:1' },
      work: { origin: 'https://a.example' },
    });
    const requests = requestsWith(parts, 100, { local: fetcher('node'), remote: fetcher('chromium') });
    await requests.send('work', '1', { method: 'GET', path: '/api/urls' });
    await requests.send('local', '2', { method: 'GET', path: '/api/urls' });
    expect(used).toEqual(['chromium', 'node']);
  });

  test.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'not responding'],
    ['net::ERR_UNSAFE_PORT', 'on another one'],
  ])('that fails with %s of Chromium is offline, and says why', async (code, why) => {
    const fetcher: Fetcher = () => Promise.reject(new TypeError('no answer', { cause: new Error(code) }));
    const parts = instancesAt({
      local: { origin: 'http://127.0.0.1:1' },
      work: { origin: 'https://a.example' },
    });
    const requests = requestsWith(parts, 100, { local: fetch, remote: fetcher });
    expect(await requests.send('work', '1', { method: 'GET', path: '/api/urls' })).toMatchObject({
      unreachable: 'offline',
      message: expect.stringContaining(why),
    });
  });

  test('tells by its 401 that the key is no good, without throwing the key away', async () => {
    let status = 401;
    const { requests, instances, secrets } = await requestsTo(
      (_, response) => answerJson(response, { error: 1 }, status),
      'the key',
    );
    await requests.send('local', '1', { method: 'GET', path: '/api/urls' });
    expect(instances.list()).toMatchObject([{ signedIn: false }]);
    expect(await secrets.find('local:data-1')).toBe('the key');
    status = 200;
    await requests.send('local', '2', { method: 'GET', path: '/api/urls' });
    expect(instances.list()).toMatchObject([{ signedIn: true }]);
  });
});

describe('signing in', () => {
  const account = { id: 1, username: 'anna' };

  test.each(['/api/auth/login', '/api/auth/register', '/api/auth/browser/finish'])(
    'by %s keeps the token and blanks it for the page',
    async (path) => {
      const { requests, instances, secrets, server } = await requestsTo(
        (_, response) =>
          answerJson(response, {
            error: 0,
            message: 'Hi.',
            data: { token: 'secret', expires: 'x', account },
          }),
        'an older key',
      );
      const reply = await requests.send('local', '1', {
        method: 'POST',
        path,
        body: { login: 'anna', password: 'p' },
      });
      expect(reply).toMatchObject({ status: 200, body: { message: 'Hi.', data: { token: '', account } } });
      expect(JSON.stringify(reply)).not.toContain('secret');
      expect(await secrets.find('local:data-1')).toBe('secret');
      expect(instances.list()).toMatchObject([{ signedIn: true }]);
      expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
    },
  );

  test('with a wrong password keeps nothing and signs nobody out', async () => {
    const { requests, instances, secrets } = await requestsTo(
      (_, response) => answerJson(response, { error: 1, code: 'invalid_credentials' }, 401),
      'the key',
    );
    await requests.send('local', '1', { method: 'POST', path: '/api/auth/login', body: {} });
    expect(await secrets.find('local:data-1')).toBe('the key');
    expect(instances.list()).toMatchObject([{ signedIn: true }]);
  });

  test.each([
    ['another path', 'POST', '/api/urls'],
    ['another method', 'PUT', '/api/auth/login'],
  ] as const)('is not what a token at %s is', async (_, method, path) => {
    const { requests, secrets } = await requestsTo((_request, response) =>
      answerJson(response, { error: 0, data: { token: 'x' } }),
    );
    const reply = await requests.send('local', '1', { method, path, body: {} });
    expect(reply).toMatchObject({ body: { data: { token: 'x' } } });
    expect(await secrets.find('local:data-1')).toBeUndefined();
  });

  test('for the first time shows the API key once and keeps a session for itself', async () => {
    const { requests, secrets, server } = await requestsTo((request, response) =>
      answerJson(
        response,
        request.url === '/api/setup'
          ? { error: 0, message: 'Ready.', data: { api_key: 'api key', account } }
          : { error: 0, message: 'Hi.', data: { token: 'session', expires: 'x', account } },
      ),
    );
    const body = { email: 'a@example.com', username: 'anna', password: 'correct horse' };
    const reply = await requests.send('local', '1', { method: 'POST', path: '/api/setup', body });
    expect(reply).toMatchObject({ body: { data: { api_key: 'api key' } } });
    expect(await secrets.find('local:data-1')).toBe('session');
    expect(JSON.parse(server.seen[1]?.body ?? '')).toEqual({
      login: 'anna',
      password: 'correct horse',
      device: 'Waypost on desk',
    });
  });

  test('for the first time keeps the API key when there is no session to be had', async () => {
    const { requests, secrets, log } = await requestsTo((request, response) =>
      request.url === '/api/setup'
        ? answerJson(response, { error: 0, data: { api_key: 'api key', account } })
        : answerJson(response, { error: 1 }, 429),
    );
    const body = { email: 'a@example.com', username: 'anna', password: 'correct horse' };
    await requests.send('local', '1', { method: 'POST', path: '/api/setup', body });
    expect(await secrets.find('local:data-1')).toBe('api key');
    expect(log.lines.join()).not.toMatch(/api key|horse/);
    expect(log.lines).toHaveLength(1);
  });
});

async function aServer(answer: Parameters<typeof httpServer>[0]): Promise<HttpStandIn> {
  const server = await httpServer(answer);
  servers.push(server);
  return server;
}

async function requestsTo(answer: Parameters<typeof httpServer>[0], key?: string, timeout?: number) {
  const server = await aServer(answer);
  const parts = instancesAt({ local: { origin: server.origin, ...(key && { key }) } });
  const log = memoryLog();
  return { ...parts, server, log, requests: requestsWith(parts, timeout, undefined, log) };
}

function requestsWith(
  { instances, secrets }: DesktopParts,
  timeout = 5_000,
  fetchers: Record<'local' | 'remote', Fetcher> = { local: fetch, remote: fetch },
  log = memoryLog(),
): ApiRequests {
  const signIn = signInAt(fetchers, 'Waypost on desk');
  const keepToken = tokenKeeper({ secrets, instances, signIn, log });
  return apiRequests({ instances, secrets, fetchers, keepToken, timeout });
}
