import { parentPort, type Worker } from 'node:worker_threads';

interface Question<Asked> {
  id: number;
  asked: Asked;
}

type Reply<Answer> = { id: number } & ({ answer: Answer } | { error: string; code: unknown });

export interface WorkerCall<Asked, Answer> {
  /** Rejects if the worker threw, with the `code` of its error, if the worker died, and after `close`. */
  ask(asked: Asked): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * A worker thread that answers requests; its side is `answerQuestions`. `start` creates the worker on the first
 * request, and again if it died. It keeps the process alive only while a request is pending. `name` identifies it in
 * errors.
 */
export function workerCall<Asked, Answer>(name: string, start: () => Worker): WorkerCall<Asked, Answer> {
  let running: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();

  function begin(): Worker {
    const worker = start();
    worker.unref();
    worker.on('message', (reply: Reply<Answer>) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) worker.unref();
      if ('answer' in reply) asked?.resolve(reply.answer);
      else
        asked?.reject(Object.assign(new Error(`the ${name} failed: ${reply.error}`), { code: reply.code }));
    });
    worker.on('error', () => abandon(worker));
    worker.on('exit', () => abandon(worker));
    return worker;
  }

  function abandon(worker: Worker): void {
    if (worker !== running) return;
    running = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(new Error(`the thread of the ${name} ended`));
  }

  return {
    ask(asked) {
      if (isClosed) return Promise.reject(new Error(`the ${name} is closed`));
      running ??= begin();
      lastId += 1;
      const pending = Promise.withResolvers<Answer>();
      waiting.set(lastId, pending);
      running.ref();
      running.postMessage({ id: lastId, asked } satisfies Question<Asked>);
      return pending.promise;
    },
    async close() {
      isClosed = true;
      await running?.terminate();
    },
  };
}

/** Answers requests of `thread`; called once, in the worker. Errors of `answer` are passed to the caller. */
export function answerQuestions<Asked, Answer>(answer: (asked: Asked) => Answer | Promise<Answer>): void {
  parentPort?.on('message', async ({ id, asked }: Question<Asked>) => {
    let reply: Reply<Answer>;
    try {
      reply = { id, answer: await answer(asked) };
    } catch (error) {
      const { code } = (error ?? {}) as { code?: unknown };
      reply = { id, error: error instanceof Error ? error.message : String(error), code };
    }
    parentPort?.postMessage(reply);
  });
}
