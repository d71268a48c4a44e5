import type { FileHandle } from 'node:fs/promises';

/** A content that is read, and closed once. */
export type OpenContent = Pick<FileHandle, 'createReadStream' | 'close'>;

/** Finds the contents of files on a machine that has the files of another one. */
export interface SharedFiles {
  /**
   * Opens a content for reading, fetching it where it is not here. Undefined where it does not come in a moment: it may
   * be here when somebody asks again.
   */
  open(content: { storage: string; size: number }): Promise<OpenContent | undefined>;
}
