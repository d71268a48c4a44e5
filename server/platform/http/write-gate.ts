import { restoring } from '../errors.ts';

export interface WriteGate {
  /** Throws 503 once it is closed. */
  check(): void;
  /** Whether writes are currently rejected. */
  isClosed(): boolean;
  /** Admits a write; call the returned function when the write has finished. Throws 503 once it is closed. */
  enter(): () => void;
  /** Admits no more writes. Resolves when the admitted ones have finished. */
  close(): Promise<void>;
  /** Admits writes again. */
  open(): void;
  /** Resolves once writes are admitted; for background work, which waits for the gate between its steps. */
  opened(): Promise<void>;
}

/**
 * Keeps acknowledged writes from being lost in a restore: once the current state has been saved, further writes would
 * be neither in what was saved nor in what replaces it.
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
