import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '../../platform/database/connect.ts';
import { DatabaseRefused } from '../../platform/database/refused.ts';

/** The number of the newest migration of the replica in a folder. Throws DatabaseRefused where that cannot be read. */
export function versionOf(folder: string): number {
  const file = join(folder, 'waypost.sqlite');
  if (!existsSync(file)) throw new DatabaseRefused('database_damaged', `The database ${file} is missing.`);
  try {
    const connection = openReader(file);
    try {
      return Number(connection.pragma('user_version', { simple: true }));
    } finally {
      connection.close();
    }
  } catch {
    throw new DatabaseRefused('database_damaged', `The database ${file} is damaged.`);
  }
}

/** The name under which the origin knows the clicks of a folder's replica. */
export function logOf(folder: string): string {
  try {
    const { id } = JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8')) as { id?: unknown };
    if (typeof id === 'string') return id;
  } catch {
    // Damaged as well: saved data gets a new name.
  }
  return randomUUID();
}
