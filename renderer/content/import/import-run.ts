import { importLinks } from '../../../server/contract/import.ts';
import { plannedSoFar } from '../../../server/contract/import-plan.ts';
import { type FileRow, slicesOf } from '../../../server/contract/import-rows.ts';
import type { Call } from '../../api/client.ts';
import type { Conflict, RowResult } from './outcomes.ts';

/** Names of records that rows created or would create. */
export interface MadeNames {
  readonly channels: readonly string[];
  readonly campaigns: readonly string[];
}

interface Run {
  /** Calls the account that the import was started in. */
  readonly call: Call;
  /** Unique id of this import; with the row index it forms the token by which the server recognizes repeated rows. */
  readonly id: string;
  readonly rows: readonly FileRow[];
  /** Rows that have a result are not sent again. */
  readonly results: readonly (RowResult | undefined)[];
  readonly conflict: Conflict;
  /** Target for rows whose domain the account does not have; undefined skips them. */
  readonly otherDomain: string | undefined;
  readonly isRehearsal: boolean;
  /** Checked before each batch. */
  readonly shouldStop: () => boolean;
  readonly signal?: AbortSignal;
  /** Called after each batch, with results by row index and the names of other created records. */
  readonly onSlice: (results: ReadonlyMap<number, RowResult>, made: MadeNames) => void;
}

/**
 * Sends all rows without a result in batches, one request at a time. Returns whether all were sent. Throws ApiFailure;
 * batches reported to `onSlice` are done by then, and the failed batch can be sent again: the server answers `exists`
 * for rows it already imported.
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
