import type { Unsubscribe } from '../../preload/contract.ts';
import { documentOf, eventParser } from '../../server/contract/event-stream.ts';
import type { Instances } from '../instances/instances.ts';
import { keyFor } from '../instances/key-for.ts';
import type { Target } from '../instances/target.ts';
import type { Secrets } from '../storage/secrets.ts';
import { accountHeader } from './account-header.ts';
import type { Fetcher } from './fetcher.ts';

/** The instances' live event streams, each kept open while it has listeners. */
export interface LiveEvents {
  /**
   * Calls `listener` with each document from an account's stream (a team's, or by default the user's own). Reconnects
   * automatically until stopped. `onRefused` is called when the instance no longer accepts the key or the account.
   */
  follow(
    instanceId: string,
    listener: (document: unknown) => void,
    account?: number,
    onRefused?: () => void,
  ): Unsubscribe;
}

interface LiveEventsOptions {
  instances: Instances;
  secrets: Secrets;
  fetchers: Record<Target['kind'], Fetcher>;
  /** For tests: the initial reconnect delay. Milliseconds. */
  firstPause?: number;
  /** For tests: how long a stream may be silent before it counts as lost. Milliseconds. */
  silence?: number;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Servers send a keep-alive comment regularly; a stream without any is dead even if the socket is open. */
const SILENCE = 60_000;

export function liveEvents(options: LiveEventsOptions): LiveEvents {
  const { instances, secrets, fetchers, firstPause = FIRST_PAUSE, silence = SILENCE } = options;

  async function follow(
    id: string,
    account: number | undefined,
    { listener, onRefused }: Heard,
    stop: AbortSignal,
  ): Promise<void> {
    let pause = firstPause;
    let lastEventId = '';
    while (!stop.aborted) {
      let asked: number | undefined;
      let isToAskAtOnce = false;
      try {
        const events = await connect(id, account, lastEventId, stop);
        if (events === 'refused') {
          if (!stop.aborted) onRefused?.();
        } else if (events) {
          pause = firstPause;
          const openedAt = performance.now();
          for await (const { event, lastId, retry } of events) {
            lastEventId = lastId;
            asked = retry;
            const document = documentOf(event);
            if (document !== undefined && !stop.aborted) listener(document);
          }
          // Servers close a stream when the session or account changes, so reconnect at once, unless the stream was
          // closed right after opening.
          isToAskAtOnce = performance.now() - openedAt > firstPause;
        }
      } catch {
        // Failures are reported by the page's own requests; here the stream just reconnects.
      }
      await sleep(Math.min(LONGEST_PAUSE, asked ?? (isToAskAtOnce ? 0 : pause)), stop);
      if (!isToAskAtOnce) pause = Math.min(LONGEST_PAUSE, pause * 2);
    }
  }

  /**
   * Opens the stream. Returns undefined if the user is not signed in or the instance offers no stream, and `refused` if
   * the instance no longer accepts the key.
   */
  async function connect(id: string, account: number | undefined, lastEventId: string, stop: AbortSignal) {
    const target = await instances.reachTarget(id, stop);
    const key = target && (await keyFor(secrets, target));
    if (!target || !key) return undefined;
    const quiet = quietTimer(silence);
    const signal = AbortSignal.any([stop, quiet.signal]);
    const response = await fetchers[target.kind](`${target.origin}/api/events`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${key}`,
        ...accountHeader(account),
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (response.ok && isStream && response.body) return events(response.body, quiet);
    quiet.end();
    await response.body?.cancel();
    const { status } = response;
    return status === 401 || (status === 404 && account !== undefined) ? 'refused' : undefined;
  }

  async function* events(body: ReadableStream<Uint8Array>, quiet: QuietTimer) {
    const parser = eventParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        quiet.heard();
        for (const event of parser.push(decoder.decode(value, { stream: true }))) {
          yield { event, lastId: parser.lastEventId(), retry: parser.retry() };
        }
      }
    } finally {
      quiet.end();
      await reader.cancel().catch(() => {
        // Already disconnected.
      });
    }
  }

  return {
    follow(instanceId, listener, account, onRefused) {
      const stop = new AbortController();
      void follow(instanceId, account, { listener, onRefused }, stop.signal);
      return () => stop.abort();
    },
  };
}

interface Heard {
  readonly listener: (document: unknown) => void;
  readonly onRefused: (() => void) | undefined;
}

interface QuietTimer {
  readonly signal: AbortSignal;
  heard(): void;
  end(): void;
}

/** A timer that aborts its signal after so many milliseconds without activity. */
function quietTimer(silence: number): QuietTimer {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), silence);
  return {
    signal: abort.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), silence);
    },
    end: () => clearTimeout(timer),
  };
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
