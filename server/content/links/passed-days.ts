import type { ImportedRow, ImportRow } from '../../contract/import.ts';
import type { LinkChange } from '../../contract/links.ts';
import { rejected } from '../../platform/errors.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';

type Row = Pick<ImportRow, 'url' | 'archiveon' | 'deleteon'> & { change: LinkChange };

/** What passed days make of a row. */
export interface DatedRow {
  url: string;
  /** Everything that has no field of its own, as it is sent to change a link. */
  change: LinkChange;
  /** Days that are planned; null where the row has none. */
  archiveAt: number | null;
  deleteAt: number | null;
  /** What a day that has passed did to the row. */
  notice: Pick<ImportedRow, 'code' | 'message'>;
}

interface Context {
  timezone: string;
  /** UTC milliseconds. */
  now: number;
  /** Throws 400. */
  readDestination: (text: string, field: string) => string;
}

const sentences = {
  test_over: 'The A/B test of this row is over: the link leads where the test ended.',
  archive_passed: 'The day to archive this link has passed, so it is archived at once.',
  delete_passed: 'The day to delete this link has passed. It is archived instead, so that nothing is lost.',
};

/**
 * A row of an old file as it is by now, after the days that were planned in it. A link that was to be deleted comes in
 * archived: it leads nowhere, as was wished, and whoever moves house loses nothing. Throws 400 for what is no day, and
 * for a winner that is no variant.
 */
export function afterPassedDays(
  { url, change, archiveon, deleteon }: Row,
  { timezone, now, readDestination }: Context,
): DatedRow {
  const dayOf = (text: string | null | undefined, field: string, part: 'start' | 'end') =>
    text ? parseTimestamp(text, timezone, part, field) : null;
  const isPast = (day: number | null) => day !== null && day <= now;
  const archiveAt = dayOf(archiveon, 'archiveon', 'start');
  const deleteAt = dayOf(deleteon, 'deleteon', 'start');
  const codes: (keyof typeof sentences)[] = [];
  let next = { url, change };
  if (change.abtesting?.length && isPast(dayOf(change.testuntil, 'settings.testuntil', 'end'))) {
    next = afterTest(next, readDestination);
    codes.push('test_over');
  }
  if (isPast(deleteAt)) codes.push('delete_passed');
  else if (isPast(archiveAt)) codes.push('archive_passed');
  const isArchived = isPast(deleteAt) || isPast(archiveAt);
  const [code] = codes;
  return {
    url: next.url,
    change: isArchived ? { ...next.change, archived: true } : next.change,
    archiveAt: isArchived ? null : archiveAt,
    deleteAt: isPast(deleteAt) ? null : deleteAt,
    notice: code ? { code, message: codes.map((each) => sentences[each]).join(' ') } : {},
  };
}

/** The link of a test that is over: it leads to the winner, and where none was named stays as it is. */
function afterTest(
  { url, change }: { url: string; change: LinkChange },
  readDestination: Context['readDestination'],
) {
  const { abtesting, testuntil: _over, testwinner, ...others } = change;
  if (!testwinner) return { url, change: { ...others, abtesting: [] } };
  const winner = readDestination(testwinner, 'settings.testwinner');
  const variants = (abtesting ?? []).map((variant, index) =>
    readDestination(variant.url, `settings.abtesting.${index}.url`),
  );
  if (variants.includes(winner)) return { url: winner, change: { ...others, abtesting: [] } };
  throw rejected(
    'unknown_variant',
    'settings.testwinner',
    'Choose one of the variants as the winner, or none.',
  );
}
