import { type Connection, openReader } from '../../platform/database/connect.ts';
import type { FixedSettings } from './fixed-settings.ts';
import { checksums } from './records.ts';

/**
 * States of databases that stay readable while others write, for checksums: these take seconds for a million links,
 * and changes must not wait for them. `position` is SQL of the position that a database is at.
 */
export function heldStates(position: string, fixed?: FixedSettings) {
  const held = new Map<number, Connection>();
  let lastId = 0;
  return {
    /** Keeps the state of a database if it is at a position; returns its id, undefined if it is at another one. */
    hold(file: string, at: number): number | undefined {
      const connection = openReader(file);
      // The first statement begins the state that all later ones see.
      connection.exec('BEGIN');
      if (connection.prepare<[], number>(position).pluck().get() !== at) {
        connection.close();
        return undefined;
      }
      lastId += 1;
      held.set(lastId, connection);
      return lastId;
    },
    /** The checksums of a saved state, which is then released. Rejects if there is none. */
    async checksums(id: number): Promise<Record<string, string>> {
      const connection = held.get(id);
      if (!connection) throw new Error('the state is not kept any more');
      held.delete(id);
      try {
        return await checksums(connection, fixed);
      } finally {
        connection.close();
      }
    },
  };
}
