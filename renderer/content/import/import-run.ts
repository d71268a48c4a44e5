import { importLinks } from '../../../server/contract/import.ts';
import { plannedSoFar } from '../../../server/contract/import-plan.ts';
import { type FileRow, slicesOf } from '../../../server/contract/import-rows.ts';
import type { Call } from '../../api/client.ts';
import type { Conflict, RowResult } from './outcomes.ts';

/** Names of what rows made, or would make. */
export interface MadeNames {
  readonly channels: readonly string[];
  readonly campaigns: readonly string[];
}

interface Run {
  /** Calls the account that the import began in. */
  readonly call: Call;
  /** Of this import and no other: with a row's place it makes the token by which the server knows the row again. */
  readonly id: string;
  readonly rows: readonly FileRow[];
  /** Rows that have a result are not sent again. */
  readonly results: readonly (RowResult | undefined)[];
  readonly conflict: Conflict;
  /** Where rows go whose domain the account does not have; undefined leaves them out. */
  readonly otherDomain: string | undefined;
  readonly isRehearsal: boolean;
  /** Asked before each slice. */
  readonly shouldStop: () => boolean;
  readonly signal?: AbortSignal;
  /** Told after each slice: results by the row's place, and what was made beside links. */
  readonly onSlice: (results: ReadonlyMap<number, RowResult>, made: MadeNames) => void;
}

/**
 * Sends the rows that have no result yet, slice by slice, one request at a time. Returns whether all were sent.
 * Throws ApiFailure; what `onSlice` was told of is done then, and the slice that failed can be sent again: the server
 * answers `exists` for what it has.
 */
export async function runImport(run: Run): Promise<boolean> {
  const places = run.rows.flatMap((row, place) => (run.results[place] ? [] : [{ row, place }]));
  let sent = 0;
  const plan = plannedSoFar();
  for (const slice of slicesOf(places.map(({ row }) => row))) {
    if (run.shouldStop()) return false;
    const { data } = await run.call(importLinks, {
      body: {
        rows: slice.map(({ row }, offset) => ({
          ...row,
          token: `${run.id}-${places[sent + offset]?.place}`,
        })),
        conflict: run.conflict,
        ...(run.otherDomain !== undefined && { otherdomain: run.otherDomain }),
        dryrun: run.isRehearsal,
        ...(run.isRehearsal && { planned: plan.beside(slice.map(({ row }) => row)) }),
      },
      ...(run.signal && { signal: run.signal }),
    });
    const results = new Map<number, RowResult>();
    for (const [offset, result] of data.rows.entries()) {
      const place = places[sent + offset]?.place;
      if (place !== undefined) results.set(place, result);
    }
    plan.note(data.rows, data);
    run.onSlice(results, { channels: data.channels, campaigns: data.campaigns ?? [] });
    sent += slice.length;
  }
  return true;
}
