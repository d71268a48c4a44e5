import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Connection } from '../../platform/database/connect.ts';
import { writeWhole } from '../../platform/database/disk.ts';

/** A name of a log: it covers all ids after these, until the next name begins. */
const logName = z.object({ log: z.uuid(), clicks: z.int().min(0), entries: z.int().min(0) });
type LogName = z.output<typeof logName>;
type Numbered = 'clicks' | 'entries';

/** The file in a replica's folder; without it, the log has the name of the replica from its first id on. */
export const logNamesFile = 'logs.json';

/** The name of the log that an id belongs to, and the last id that has this name. */
export type NameOf = (id: number) => { log: string; last: number };

/** What of a log waits, and the highest ids that were ever given. */
export interface LogState {
  isShipped: boolean;
  clicks: number;
  entries: number;
}

/** The names of a replica's log, oldest first. What cannot be read is shipped under a new name. */
function readNames(folder: string, first: string): LogName[] {
  const file = join(folder, logNamesFile);
  if (!existsSync(file)) return [{ log: first, clicks: 0, entries: 0 }];
  try {
    return z
      .array(logName)
      .min(1)
      .parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [{ log: randomUUID(), clicks: 0, entries: 0 }];
  }
}

/** The names under which the origin knows what a replica ships. `first` is the name of the replica. */
export function logNames(folder: string, first: string) {
  let names = readNames(folder, first);

  function nameOf(kind: Numbered, id: number): ReturnType<NameOf> {
    const found = names.findLastIndex((name) => name[kind] < id);
    const { log } = names[Math.max(0, found)] as LogName;
    return { log, last: names[found + 1]?.[kind] ?? Number.MAX_SAFE_INTEGER };
  }

  return {
    ofClicks: (id: number) => nameOf('clicks', id),
    ofEntries: (id: number) => nameOf('entries', id),
    /**
     * Begins a new name with this start of the edge. Another machine may have started from a copy of the same folder,
     * or this folder was put back as it was before: the same ids then stand for other visits. Throws on a full disk.
     */
    begin({ isShipped, clicks, entries }: LogState): void {
      const used = names.filter((name) => name.clicks < clicks || name.entries < entries);
      const next = [...(isShipped ? [] : used), { log: randomUUID(), clicks, entries }];
      writeWhole(join(folder, logNamesFile), `${JSON.stringify(next)}\n`);
      names = next;
    },
  };
}

export type LogNames = ReturnType<typeof logNames>;

/** The highest ids that a replica's log ever gave to clicks and form entries. Clicks are removed once they are sent. */
export function highestIds(connection: Connection): Pick<LogState, Numbered> {
  const read = (sql: string) => connection.prepare<[], number | null>(sql).pluck().get() ?? 0;
  return {
    clicks: Math.max(
      read('SELECT max(id) FROM clicks'),
      read('SELECT position FROM rollup_position WHERE id = 1'),
    ),
    entries: read("SELECT seq FROM sqlite_sequence WHERE name = 'fleet_entries'"),
  };
}
