import type { FileHandle } from 'node:fs/promises';

/** A file's content that is open for reading. */
export type OpenContent = Pick<FileHandle, 'createReadStream' | 'close'>;

/** Provides the contents of the origin's files on an edge. */
export interface SharedFiles {
  /**
   * Opens a content for reading and fetches it if needed. Undefined if it does not arrive in time: it may be available
   * on the next request.
   */
  open(content: { storage: string; size: number }): Promise<OpenContent | undefined>;
}
