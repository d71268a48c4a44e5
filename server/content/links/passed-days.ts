import type { ImportedRow, ImportRow } from '../../contract/import.ts';
import type { LinkChange } from '../../contract/links.ts';
import { rejected } from '../../platform/errors.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';

type Notice = Pick<ImportedRow, 'code' | 'codes' | 'message'>;

type Row = Pick<ImportRow, 'url' | 'archiveon' | 'deleteon'> & { change: LinkChange };

/** The effect of past dates on a row. */
export interface DatedRow {
  url: string;
  /** Everything without a column of its own, in the format of an update. */
  change: LinkChange;
  /** Whether a day on which the link was to be archived or deleted has passed. */
  isOver: boolean;
  /** Days that are planned; null where the row has none. */
  archiveAt: number | null;
  deleteAt: number | null;
  /** What days that have passed do to a new link. */
  notice: Notice;
  /** Their effect on an existing link. */
  noticeOfKept: Notice;
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
  days_passed: 'The day to archive or delete this link has passed. The existing link stays in use.',
  delete_passed: 'The day to delete this link has passed. It is archived instead, so that nothing is lost.',
};
type Code = keyof typeof sentences;

/**
 * Applies the past dates in a row of an old file. A link due for deletion is imported as archived: it does not
 * redirect, as intended, and nothing is lost. A link that already exists and is in use stays in use: an old file takes
 * nobody's link away. Throws 400 for an invalid date, and for a winner that is not a variant.
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
  const codes: Code[] = [];
  let next = { url, change };
  if (change.abtesting?.length && isPast(dayOf(change.testuntil, 'settings.testuntil', 'end'))) {
    next = afterTest(next, readDestination);
    codes.push('test_over');
  }
  const isOver = isPast(deleteAt) || isPast(archiveAt);
  const ending: Code[] = isPast(deleteAt) ? ['delete_passed'] : isOver ? ['archive_passed'] : [];
  return {
    url: next.url,
    change: next.change,
    isOver,
    archiveAt: isOver ? null : archiveAt,
    deleteAt: isPast(deleteAt) ? null : deleteAt,
    notice: noticeOf([...codes, ...ending]),
    noticeOfKept: noticeOf(isOver ? [...codes, 'days_passed'] : codes),
  };
}

function noticeOf(codes: readonly Code[]): Notice {
  const [code] = codes;
  if (!code) return {};
  const message = codes.map((each) => sentences[each]).join(' ');
  return { code, message, ...(codes.length > 1 && { codes: [...codes] }) };
}

/** The link after its A/B test: it leads to the winner, or is unchanged if there is none. */
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
