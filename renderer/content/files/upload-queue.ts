import { computed, reactive, ref } from 'vue';
import type { UploadQuery } from '../../../server/contract/files.ts';
import { ApiFailure, isAbort } from '../../api/failure.ts';

/** `failed`: this file was refused or given up; the others go on. */
type UploadState = 'waiting' | 'sending' | 'done' | 'failed';

export interface Upload {
  readonly id: number;
  /** The account that it goes to. */
  readonly scope: string;
  readonly send: Send;
  readonly file: File;
  readonly query: UploadQuery;
  state: UploadState;
  /** From 0 to 1. */
  fraction: number;
  /** Why it did not work, in a sentence. */
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
   * What sends the files that are added now: to the account that acts now, also if another one does when their turn
   * comes.
   */
  readonly sender: () => Send;
  /** The account that acts now, as a text. */
  readonly scope: () => string;
  /** Called when a file is on the server. */
  readonly onDone: () => void;
  /** The sentence for an error that is none of the server's. */
  readonly unknown: () => string;
}

/**
 * Sends files one after the other. A file that the server refuses is left behind with the reason, and the next one
 * goes; without a connection, or when the server asks for a pause, everything waits for `resume`.
 */
export function uploadQueue({ sender, scope, onDone, unknown }: Options) {
  const uploads = reactive<Upload[]>([]);
  /** Why nothing is sent now. */
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
    // Cancelled: it was taken out of the list.
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
    /** Those of the account that acts. */
    shown: computed(() => uploads.filter((upload) => upload.scope === scope())),
    paused,
    /** Whether something is on its way or waits. */
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

    /** Tries a refused file once more. */
    retry(id: number): void {
      const upload = uploads.find((candidate) => candidate.id === id);
      if (upload?.state !== 'failed') return;
      upload.state = 'waiting';
      upload.problem = undefined;
      resume();
    },

    /** Takes a file out, whatever it is doing. What is on the server already stays there. */
    cancel(id: number): void {
      const index = uploads.findIndex((upload) => upload.id === id);
      if (index === -1) return;
      uploads.splice(index, 1);
      if (running?.upload.id === id) running.stop.abort();
      if (!uploads.some(({ state }) => state === 'waiting')) paused.value = undefined;
    },

    /** Takes out what is done in the account that acts. */
    clearDone(): void {
      const left = uploads.filter((upload) => upload.state !== 'done' || upload.scope !== scope());
      uploads.splice(0, uploads.length, ...left);
    },
  };
}
