import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Desktop } from '../../../preload/contract.ts';
import { readEventStream } from '../../../renderer/api/event-stream.ts';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { browserTransport, desktopTransport } from '../../../renderer/api/transport.ts';
import { showLanguage } from '../../../renderer/language.ts';

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

async function documentsOf(...chunks: string[]): Promise<unknown[]> {
  const documents = [];
  for await (const document of readEventStream(streamOf(...chunks))) documents.push(document);
  return documents;
}

describe('the live stream', () => {
  it('yields the document of each event, wherever the network cut it', async () => {
    expect(await documentsOf('event: click\nda', 'ta: {"a"', ':1}\n\ndata: {"b":2}\r\n\r', '\n')).toEqual([
      { type: 'click', a: 1 },
      { b: 2, type: 'message' },
    ]);
  });

  it('passes over comments, pings and what is not JSON', async () => {
    expect(await documentsOf(': ping\n\n', 'data: hello\n\n', 'data: {"a":1}\n\n')).toEqual([
      { a: 1, type: 'message' },
    ]);
  });

  it('is given up when a line grows without end', async () => {
    const endless = Array.from({ length: 20 }, () => 'x'.repeat(100_000));
    await expect(documentsOf('data: ', ...endless)).rejects.toThrow('too long');
  });

  it('joins the lines of one event', async () => {
    expect(await documentsOf('data: {\ndata: "a": 1}\n\n')).toEqual([{ a: 1, type: 'message' }]);
  });

  it('asks with the token in the header and ends when nobody listens', async () => {
    const fetcher = vi.fn(async () => new Response(streamOf('data: {"type":"hello"}\n\n')));
    const tokens = storedTokens(localStorage);
    tokens.write('local', 'secret');
    const transport = browserTransport(fetcher, tokens);
    const heard = await new Promise((resolve) => {
      const stop = transport.subscribe('local', (event) => {
        stop();
        resolve(event);
      });
    });
    expect(heard).toEqual({ type: 'hello' });
    expect(fetcher).toHaveBeenCalledWith(
      '/api/events',
      expect.objectContaining({
        credentials: 'omit',
        headers: expect.objectContaining({ authorization: 'Bearer secret' }),
      }),
    );
  });
});

describe('a live stream that is refused', () => {
  const refusal = (status: number, account?: number) =>
    new Promise<string>((resolve) => {
      const tokens = storedTokens(localStorage);
      const fetcher = async () => new Response('{}', { status });
      const stop = browserTransport(fetcher, tokens).subscribe(
        'local',
        () => {},
        account,
        () => tell('told'),
      );
      const timer = setTimeout(() => tell('not told'), 50);
      function tell(outcome: string) {
        clearTimeout(timer);
        stop();
        resolve(outcome);
      }
    });

  it('tells of a token that is not taken any more, and of a team that is ours no longer', async () => {
    expect(await refusal(401)).toBe('told');
    expect(await refusal(404, 7)).toBe('told');
    expect(await refusal(429)).toBe('not told');
    expect(await refusal(404)).toBe('not told');
  });
});

describe('a browser', () => {
  it('sends the token of that instance alone, and never a cookie', async () => {
    const tokens = storedTokens(localStorage);
    tokens.write('one', 'token-one');
    const fetcher = vi.fn(async (_input: unknown, _init?: RequestInit) => Response.json({ error: 0 }));
    const transport = browserTransport(fetcher as typeof fetch, tokens);
    await transport.request('one', { method: 'GET', path: '/api/account' });
    await transport.request('two', { method: 'GET', path: '/api/account' });
    const sent = fetcher.mock.calls.map(([, init]) => init);
    expect(sent[0]).toMatchObject({ credentials: 'omit', headers: { authorization: 'Bearer token-one' } });
    expect(sent[1]?.headers).toEqual({});
  });

  it('calls a server that does not answer unreachable', async () => {
    const transport = browserTransport(
      () => Promise.reject(new TypeError('Failed to fetch')),
      storedTokens(localStorage),
    );
    await expect(transport.request('local', { method: 'GET', path: '/api/health' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });

  it('passes on only the headers that the page needs', async () => {
    const headers = {
      'content-type': 'application/json',
      'retry-after': '7',
      'x-ratelimit-limit': '30',
      'x-secret': 'no',
    };
    const transport = browserTransport(
      async () => Response.json({}, { headers }),
      storedTokens(localStorage),
    );
    const reply = await transport.request('local', { method: 'GET', path: '/api/health' });
    expect(Object.keys(reply.headers).sort()).toEqual(['content-type', 'retry-after', 'x-ratelimit-limit']);
  });
});

describe('the desktop', () => {
  function desktopWith(request: Desktop['request']): { desktop: Desktop; cancel: ReturnType<typeof vi.fn> } {
    const cancel = vi.fn();
    // Only the two functions that this transport uses.
    return { desktop: { request, cancel } as unknown as Desktop, cancel };
  }

  it('turns an unreachable server into the same failure as a browser', async () => {
    const { desktop } = desktopWith(async () => ({ unreachable: 'timeout', message: 'No answer in 30 s.' }));
    await expect(
      desktopTransport(desktop).request('local', { method: 'GET', path: '/api/health' }),
    ).rejects.toMatchObject({ kind: 'unreachable', code: 'timeout', message: 'No answer in 30 s.' });
  });

  it('says of a changed certificate what it does not say of a changed record', async () => {
    const message = "This server's certificate is not the one you accepted.";
    const { desktop } = desktopWith(async () => ({ unreachable: 'changed', message }));
    onTestFinished(() => showLanguage('en'));
    await showLanguage('de');
    await expect(
      desktopTransport(desktop).request('office', { method: 'GET', path: '/api/meta' }),
    ).rejects.toMatchObject({ message: expect.stringContaining('Zertifikat') });
  });

  it('tells the main process when the caller gives up', async () => {
    const leave = new AbortController();
    const { desktop, cancel } = desktopWith(async (_instance, _id) => {
      leave.abort();
      return { unreachable: 'cancelled', message: 'Given up.' };
    });
    const asked = desktopTransport(desktop).request(
      'local',
      { method: 'GET', path: '/api/health' },
      leave.signal,
    );
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(cancel).toHaveBeenCalledOnce();
  });
});
