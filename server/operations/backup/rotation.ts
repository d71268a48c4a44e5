import { offsetAt } from '../../platform/http/timestamps.ts';
import type { BackupKind } from './manifest.ts';

interface Kept {
  id: number;
  kind: BackupKind;
  /** UTC milliseconds. */
  created: number;
  restorable: boolean;
}

interface Rules {
  keepDaily: number;
  keepWeekly: number;
  /** Days and weeks are those of the instance. */
  timezone: string;
}

/** The number of backups made before restores that are kept. */
const beforeRestoreKept = 3;
const dayMs = 86_400_000;

/**
 * The backups that are not needed any more: of the scheduled ones the newest of each of the last days stays, and of the
 * older ones the newest of each of the last weeks. Those that a person made or brought stay until a person deletes
 * them. What does not restore counts for nothing, and goes when a newer one does.
 */
export function outdated(backups: readonly Kept[], { keepDaily, keepWeekly, timezone }: Rules): number[] {
  const newestFirst = [...backups].sort((one, other) => other.created - one.created);
  const scheduled = newestFirst.filter(({ kind }) => kind === 'scheduled');
  const good = scheduled.filter(({ restorable }) => restorable);
  const kept = new Set<number>();
  const days = new Set<number>();
  const weeks = new Set<number>();
  for (const { id, created } of good) {
    const day = dayOf(created, timezone);
    if (days.has(day)) continue;
    if (days.size < keepDaily) {
      days.add(day);
      kept.add(id);
      continue;
    }
    const week = weekOf(day);
    if (weeks.has(week) || weeks.size >= keepWeekly) continue;
    weeks.add(week);
    kept.add(id);
  }
  const [newestGood] = good;
  const useless = scheduled.filter(
    ({ restorable, created }) => !restorable && newestGood !== undefined && created < newestGood.created,
  );
  return [
    ...good.filter(({ id }) => !kept.has(id)),
    ...useless,
    ...newestFirst.filter(({ kind }) => kind === 'before-restore').slice(beforeRestoreKept),
  ].map(({ id }) => id);
}

/** The number of the day in a time zone. */
function dayOf(at: number, timezone: string): number {
  return Math.floor((at + offsetAt(at, timezone)) / dayMs);
}

/** The number of a day's week, which begins on Monday; day 0 was a Thursday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}
