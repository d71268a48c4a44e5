import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiReply, ApiRequest } from '../../../preload/contract.ts';
import { apiClient, type ClientOptions } from '../../../renderer/api/client.ts';
import { ApiFailure, fieldErrors } from '../../../renderer/api/failure.ts';
import { getHealth } from '../../../server/contract/instance.ts';
import { addLink, bulkLinks, deleteLink, listLinks } from '../../../server/contract/links.ts';
import { getQr } from '../../../server/contract/qr.ts';
import { signIn } from '../../../server/contract/sessions.ts';

type Answer = Partial<ApiReply> | Error;

/** A client over a transport that gives the answers in turn, the last one again and again. */
function clientThatHears(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const requests: ApiRequest[] = [];
  const transport: ClientOptions['transport'] = {
    async request(_instanceId, request) {
      requests.push(request);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: { error: 0 }, ...answer };
    },
  };
  return { call: apiClient({ transport, instanceId: () => 'local', ...options }), requests };
}

async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiFailure);
  return error as ApiFailure;
}

const emptyPage = { result: 0, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1, urls: [] };

describe('a call', () => {
  it('fills the path and writes the query without what is not set', async () => {
    const { call, requests } = clientThatHears([{ body: { error: 0, message: 'Deleted.' } }]);
    await call(deleteLink, { params: { id: 7 }, query: { force: undefined } });
    expect(requests).toEqual([{ method: 'DELETE', path: '/api/url/7/delete' }]);
  });

  it('is not made without the parameters of its path', async () => {
    const { call, requests } = clientThatHears([]);
    // @ts-expect-error The type of a call follows from its path, which has `:id`.
    await expect(call(deleteLink)).rejects.toThrow('needs the parameter id');
    // @ts-expect-error A misspelt parameter is not a parameter.
    await expect(call(deleteLink, { params: { ids: 7 } })).rejects.toThrow('needs the parameter id');
    expect(requests).toEqual([]);
  });

  it('escapes what stands in the path and in the query', async () => {
    const { call, requests } = clientThatHears([{ body: { error: 0, data: emptyPage } }]);
    await call(listLinks, { query: { q: 'a&b=c d', limit: 5 } });
    expect(requests[0]?.path).toBe('/api/urls?q=a%26b%3Dc+d&limit=5');
  });

  it('reports every row that an action changed', async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => ({ id: index + 1, outcome: 'done' }));
    const { call } = clientThatHears([{ body: { error: 0, message: 'Done.', data: { rows, undo: null } } }]);
    const { data } = await call(bulkLinks, { body: { ids: rows.map(({ id }) => id), action: 'archive' } });
    expect(data.rows).toHaveLength(9_000);
  });

  it.each([[0], ['0']])('takes error %j for a success', async (error) => {
    const { call } = clientThatHears([{ body: { error, id: 3, shorturl: 'http://localhost/x' } }]);
    await expect(call(addLink, { body: { url: 'https://example.com' } })).resolves.toMatchObject({ id: 3 });
  });

  it.each([[1], ['1']])('takes error %j for a failure even with status 200', async (error) => {
    const { call } = clientThatHears([
      { body: { error, message: 'No.', code: 'slug_taken', field: 'custom' } },
    ]);
    const failure = await failureOf(call(addLink, { body: { url: 'https://example.com' } }));
    expect(failure).toMatchObject({ kind: 'refused', code: 'slug_taken', message: 'No.' });
    expect(fieldErrors(failure)).toEqual([{ name: 'custom', message: 'No.' }]);
  });

  it('names every field of a validation failure', async () => {
    const errors = [
      { field: 'url', code: 'invalid', message: 'Enter a URL.' },
      { field: 'custom', code: 'taken', message: 'Choose another.' },
    ];
    const { call } = clientThatHears([
      { status: 400, body: { error: 1, message: 'Check the fields.', errors } },
    ]);
    const failure = await failureOf(call(addLink, { body: { url: '' } }));
    expect(fieldErrors(failure)).toEqual([
      { name: 'url', message: 'Enter a URL.' },
      { name: 'custom', message: 'Choose another.' },
    ]);
  });

  it('refuses a reply that is not what the contract promises', async () => {
    const { call } = clientThatHears([{ body: { error: 0, data: { ...emptyPage, urls: 'none' } } }]);
    expect(await failureOf(call(listLinks))).toMatchObject({ kind: 'malformed' });
  });

  it('refuses an object for a text, whose length cannot be compared, like any other', async () => {
    const { call } = clientThatHears([
      { body: { error: 0, data: { logo: { length: { toString: 1, valueOf: 1 } } } } },
    ]);
    expect((await failureOf(call(getQr, { params: { id: 1 } }))).kind).toBe('malformed');
  });

  it('calls a page of a proxy malformed and not a refusal', async () => {
    const { call } = clientThatHears([{ status: 502, body: null }]);
    expect(await failureOf(call(listLinks))).toMatchObject({ kind: 'malformed', status: 502 });
  });

  it('tells whether the server was there', async () => {
    const onReached = vi.fn();
    const { call } = clientThatHears([new ApiFailure('unreachable', 'Gone.'), {}], { onReached });
    await failureOf(call(getHealth));
    await call(getHealth);
    expect(onReached.mock.calls).toEqual([
      ['local', false, 'unreachable'],
      ['local', true],
    ]);
  });
});

describe('a key that is no good', () => {
  const refused = { status: 401, body: { error: 1, message: 'Sign in.', code: 'unauthorized' } };

  it('is told once the server says so', async () => {
    const onUnauthorized = vi.fn();
    const { call } = clientThatHears([refused], { onUnauthorized });
    expect(await failureOf(call(listLinks))).toMatchObject({ kind: 'unauthorized' });
    expect(onUnauthorized).toHaveBeenCalledWith('local');
  });

  it('is something else than a wrong password at sign-in', async () => {
    const onUnauthorized = vi.fn();
    const { call } = clientThatHears([refused], { onUnauthorized });
    await failureOf(call(signIn, { body: { login: 'ada', password: 'wrong' } }));
    expect(onUnauthorized).not.toHaveBeenCalled();
  });
});

describe('the rate limit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const limited = (seconds: string) => ({
    status: 429,
    headers: { 'retry-after': seconds },
    body: { error: 1, message: 'Slow down.', code: 'rate_limited' },
  });

  it('is waited for, and the call goes on by itself', async () => {
    const over = vi.fn();
    const onWait = vi.fn(() => over);
    const { call, requests } = clientThatHears([limited('12'), {}], { onWait });
    const health = call(getHealth);
    await vi.advanceTimersByTimeAsync(11_900);
    expect(requests).toHaveLength(1);
    expect(onWait).toHaveBeenCalledWith(expect.objectContaining({ seconds: 12 }));
    await vi.advanceTimersByTimeAsync(200);
    await health;
    expect(requests).toHaveLength(2);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is not waited for longer than 90 seconds', async () => {
    const { call, requests } = clientThatHears([limited('900')]);
    expect(await failureOf(call(getHealth))).toMatchObject({ kind: 'limited', retryAfter: 900 });
    expect(requests).toHaveLength(1);
  });

  it('is not waited for again and again without end', async () => {
    const { call, requests } = clientThatHears([limited('40')]);
    const failing = failureOf(call(getHealth));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await failing).toMatchObject({ kind: 'limited' });
    expect(requests).toHaveLength(3);
  });

  it('can be given up by the person', async () => {
    const onWait = vi.fn((wait: { cancel(): void }) => {
      queueMicrotask(wait.cancel);
      return () => {};
    });
    const { call } = clientThatHears([limited('30')], { onWait });
    expect(await failureOf(call(getHealth))).toMatchObject({ kind: 'limited' });
  });

  it('is given up when the caller leaves', async () => {
    const leave = new AbortController();
    const { call } = clientThatHears([limited('30')]);
    const waiting = call(getHealth, { signal: leave.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    leave.abort();
    expect(await waiting).toMatchObject({ name: 'AbortError' });
  });
});
