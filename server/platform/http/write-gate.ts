import { restoring } from '../errors.ts';

export interface WriteGate {
  /** Throws 503 once it is closed. */
  check(): void;
  /** Whether writes are turned away now. */
  isClosed(): boolean;
  /** Lets a write in; what it returns is called when the write is over. Throws 503 once it is closed. */
  enter(): () => void;
  /** Lets no more writes in. Resolves when those that are in are over. */
  close(): Promise<void>;
  /** Lets writes in again. */
  open(): void;
  /**
   * Resolves once writes are let in; for work that no request waits for, which then waits for the gate between its
   * steps.
   */
  opened(): Promise<void>;
}

/**
 * Keeps what is acknowledged from being lost in a restore: from the moment on when the present state is saved, nothing
 * may be written to it any more, since that would be neither in what was saved nor in what takes its place.
 */
export function writeGate(): WriteGate {
  let isClosed = false;
  let inside = 0;
  let empty: PromiseWithResolvers<void> | undefined;
  let reopened: PromiseWithResolvers<void> | undefined;

  function check(): void {
    if (isClosed) throw restoring();
  }

  return {
    check,
    isClosed: () => isClosed,
    enter() {
      check();
      inside += 1;
      return () => {
        inside -= 1;
        if (inside === 0) empty?.resolve();
      };
    },
    close() {
      isClosed = true;
      if (inside === 0) return Promise.resolve();
      empty ??= Promise.withResolvers<void>();
      return empty.promise;
    },
    open() {
      isClosed = false;
      empty = undefined;
      reopened?.resolve();
      reopened = undefined;
    },
    opened() {
      if (!isClosed) return Promise.resolve();
      reopened ??= Promise.withResolvers<void>();
      return reopened.promise;
    },
  };
}
