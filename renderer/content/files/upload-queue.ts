import { computed, reactive, ref } from 'vue';
import type { UploadQuery } from '../../../server/contract/files.ts';
import { ApiFailure, isAbort } from '../../api/failure.ts';

/** `failed`: this file was rejected or failed to upload; the others continue. */
type UploadState = 'waiting' | 'sending' | 'done' | 'failed';

export interface Upload {
  readonly id: number;
  /** The account that it is uploaded to. */
  readonly scope: string;
  readonly send: Send;
  readonly file: File;
  readonly query: UploadQuery;
  state: UploadState;
  /** Upload progress, from 0 to 1. */
  fraction: number;
  /** Error message, if it failed. */
  problem?: string | undefined;
  made?: { readonly id: number; readonly shorturl: string } | undefined;
}

type Send = (
  file: File,
  query: UploadQuery,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<{ id: number; shorturl: string }>;

interface Options {
  /**
   * Returns the function that uploads files added now. It is bound to the current account, even if another one is
   * active when their turn comes.
   */
  readonly sender: () => Send;
  /** Key of the current account. */
  readonly scope: () => string;
  /** Called after a file was uploaded. */
  readonly onDone: () => void;
  /** The message for unexpected errors. */
  readonly unknown: () => string;
}

/**
 * Uploads files one at a time. If the server rejects a file, its error is shown and the queue continues; on a lost
 * connection or a rate limit, everything waits for `resume`.
 */
export function uploadQueue({ sender, scope, onDone, unknown }: Options) {
  const uploads = reactive<Upload[]>([]);
  /** Why the queue is paused. */
  const paused = ref<string>();
  let lastId = 0;
  let running: { upload: Upload; stop: AbortController } | undefined;

  async function work(): Promise<void> {
    if (running || paused.value !== undefined) return;
    const upload = uploads.find((candidate) => candidate.state === 'waiting');
    if (!upload) return;
    const stop = new AbortController();
    running = { upload, stop };
    upload.state = 'sending';
    try {
      upload.made = await upload.send(
        upload.file,
        upload.query,
        (fraction) => {
          upload.fraction = fraction;
        },
        stop.signal,
      );
      upload.state = 'done';
      onDone();
    } catch (error) {
      note(upload, error);
    }
    running = undefined;
    void work();
  }

  function note(upload: Upload, error: unknown): void {
    upload.fraction = 0;
    // Cancelled, and already removed from the list.
    if (isAbort(error)) return;
    const problem = error instanceof ApiFailure ? error.message : unknown();
    const isPause = error instanceof ApiFailure && (error.kind === 'unreachable' || error.kind === 'limited');
    upload.state = isPause ? 'waiting' : 'failed';
    if (isPause) paused.value = problem;
    else upload.problem = problem;
  }

  function resume(): void {
    paused.value = undefined;
    void work();
  }

  return {
    uploads,
    /** The uploads of the current account. */
    shown: computed(() => uploads.filter((upload) => upload.scope === scope())),
    paused,
    /** Whether any uploads are waiting or in progress. */
    isBusy: computed(() => uploads.some(({ state }) => state === 'waiting' || state === 'sending')),

    add(files: readonly File[], query: UploadQuery = {}): void {
      const send = sender();
      for (const file of files) {
        lastId += 1;
        uploads.push({ id: lastId, scope: scope(), send, file, query, state: 'waiting', fraction: 0 });
      }
      void work();
    },

    resume,

    /** Retries a rejected file. */
    retry(id: number): void {
      const upload = uploads.find((candidate) => candidate.id === id);
      if (upload?.state !== 'failed') return;
      upload.state = 'waiting';
      upload.problem = undefined;
      resume();
    },

    /** Removes a file from the queue in any state. Files already uploaded stay on the server. */
    cancel(id: number): void {
      const index = uploads.findIndex((upload) => upload.id === id);
      if (index === -1) return;
      uploads.splice(index, 1);
      if (running?.upload.id === id) running.stop.abort();
      if (!uploads.some(({ state }) => state === 'waiting')) paused.value = undefined;
    },

    /** Removes the finished uploads of the current account. */
    clearDone(): void {
      const left = uploads.filter((upload) => upload.state !== 'done' || upload.scope !== scope());
      uploads.splice(0, uploads.length, ...left);
    },
  };
}
