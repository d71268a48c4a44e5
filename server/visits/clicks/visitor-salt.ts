import { hash } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';
import { dayMs } from './dimensions.ts';

export interface VisitorHashes {
  /** 31 bits that identify an address and user agent on the day of `at` only. */
  of(address: string, userAgent: string, at: number): number;
  /** The UTC day (since 1970) of the current salt; earlier hashes are no longer useful. */
  day(at: number): number;
}

interface Options {
  connection: Connection;
  /** 32 random bytes. */
  newSalt: () => Buffer;
}

/**
 * Hashes visitors with a salt that is replaced every UTC day, deleting the old one, so that "unique" means unique per
 * day and nobody can be tracked across days (decision 0026).
 */
export function visitorHashes({ connection, newSalt }: Options): VisitorHashes {
  const find = connection.prepare<[number], Buffer>('SELECT salt FROM visitor_salt WHERE day = ?').pluck();
  const add = connection.prepare<[number, Buffer]>('INSERT INTO visitor_salt (day, salt) VALUES (?, ?)');
  // Tomorrow's salt may have come from another machine of the fleet.
  const removeOthers = connection.prepare<[{ day: number }]>(
    'DELETE FROM visitor_salt WHERE day < @day OR day > @day + 1',
  );
  let current = { day: -1, salt: '' };

  const change = connection.transaction((day: number): string => {
    const stored = find.get(day);
    const salt = stored ?? newSalt();
    if (!stored) add.run(day, salt);
    removeOthers.run({ day });
    return salt.toString('base64');
  });

  function changeTo(day: number): void {
    // Overwrites the old salt in its page instead of only unlinking it.
    connection.pragma('secure_delete = 1');
    try {
      current = { day, salt: change.immediate(day) };
    } catch {
      // If the disk is full, the salt is kept in memory until the next start; redirects continue.
      current = { day, salt: newSalt().toString('base64') };
    } finally {
      connection.pragma('secure_delete = 0');
    }
  }

  function day(at: number): number {
    const wanted = Math.floor(at / dayMs);
    if (wanted !== current.day) changeTo(wanted);
    return wanted;
  }

  return {
    day,
    of(address, userAgent, at) {
      day(at);
      // As text, because a Buffer would take as long to make as the digest.
      const digest = hash('sha256', `${current.salt}\n${address}\n${userAgent}`);
      // SQLite stores signed 32-bit integers in four bytes, and larger ones in six or eight.
      return Number.parseInt(digest.slice(0, 8), 16) >>> 1;
    },
  };
}
