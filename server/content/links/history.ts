import { Refusal, rejected } from '../../platform/errors.ts';
import { storedList } from '../../platform/text/stored-json.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { ChangeQueries } from './change-queries.ts';
import type { References } from './fields.ts';
import { type LinkQueries, type LinkRecord, type LinkRow, pickRecord } from './queries.ts';

interface Options {
  links: LinkQueries;
  aliases: AliasQueries;
  changes: ChangeQueries;
  /** Called for each link that is moved to the trash. */
  onTrashed: () => void;
  now: () => number;
}

/** A record together with the link's channels: what history keeps and undo restores. */
export type LinkSnapshot = LinkRecord & { channels?: number[] };

/**
 * Writes changes of links down, so that they can be taken back (`undo.ts`). Everything here runs inside a transaction
 * of the caller.
 */
export function linkHistory({ links, aliases, changes, onTrashed, now }: Options) {
  /**
   * Stores a link's new record: moves its alias when it changed, frees it when the link goes to the trash.
   * Throws 400 `alias_taken`, and has changed nothing then.
   */
  function store(row: LinkRow, record: LinkRecord): void {
    const moved = record.alias !== row.alias || record.domain_id !== row.domain_id;
    if (record.trashed_at !== null) {
      aliases.release('link', row.id);
      if (row.trashed_at === null) onTrashed();
    } else {
      // Also where it stays: a link that has lost its alias takes it back with whatever is saved.
      const held = aliases.move(record.domain_id, record.alias, 'link', row.id);
      if (!held && (moved || row.trashed_at !== null)) throw aliasTaken();
    }
    links.update(row.id, record, now());
  }

  return {
    store,

    begin: (userId: number, action: string): number => changes.insert(userId, action, now()),

    /** Forgets a change that did nothing, and has nothing left to do. */
    end: (changeId: number): void => changes.removeEmpty(changeId),

    /** Whether a snapshot differs from the current link. */
    isChange: (row: LinkRow, after: LinkSnapshot): boolean =>
      Object.keys(difference(snapshotOf(row), after)[1]).length > 0,

    /** Notes what a change did to one link; a change that did nothing leaves no trace. */
    note(changeId: number, row: LinkRow, after: LinkSnapshot): boolean {
      const [from, to] = difference(snapshotOf(row), after);
      if (Object.keys(to).length === 0) return false;
      changes.insertLink(changeId, row.id, from, to);
      return true;
    },
  };
}

export type LinkHistory = ReturnType<typeof linkHistory>;

/** 400: a lock guards a link against accidental edits until it is taken off. */
export function locked() {
  return rejected('locked', undefined, 'This link is locked. Unlock it first.');
}

/**
 * 400: the alias is already taken on this domain, possibly by the same person. `field` is the resource's name for it.
 */
export function aliasTaken(field = 'custom') {
  return rejected('alias_taken', field, 'This alias is already taken. Choose another one.');
}

const plannedDays = ['archive_at', 'delete_at', 'test_until'] as const;

/** A restored record without the scheduled dates that have passed: they would take effect again immediately. */
export function withoutPassedDays<Fields extends Partial<LinkSnapshot>>(fields: Fields, now: number): Fields {
  const left = { ...fields };
  for (const name of plannedDays) if ((left[name] ?? now + 1) <= now) left[name] = null;
  return left;
}

/** A snapshot without references to records deleted since: a deleted campaign is restored as none. */
function whatIsLeft(fields: Partial<LinkSnapshot>, references: References): Partial<LinkSnapshot> {
  const left = { ...fields };
  if (left.campaign_id && !references.ownsCampaign(left.campaign_id)) left.campaign_id = null;
  if (left.channels) left.channels = left.channels.filter(references.ownsChannel);
  if (left.pixels !== undefined) {
    left.pixels = JSON.stringify(storedList<number>(left.pixels, 'number').filter(references.ownsPixel));
  }
  const isOwnPage = left.type !== undefined && !['direct', 'frame', 'splash'].includes(left.type);
  if (isOwnPage && !references.ownsType(left.type as string)) left.type = 'direct';
  if (left.domain_id) left.domain_id = usableDomain(left.domain_id, references);
  return left;
}

/**
 * What undoing a change sets on a link: the fields that it changed, to their previous values. Fields changed again
 * since are kept (`hasNewer`); for channels and pixels only those that the change added or removed.
 */
export function undoneFields(
  row: LinkRow,
  change: { before: Partial<LinkSnapshot>; after: Partial<LinkSnapshot> },
  references: References,
): { fields: Partial<LinkSnapshot>; hasNewer: boolean } {
  const present = snapshotOf(row);
  const { after } = change;
  const { channels, pixels, ...others } = whatIsLeft(change.before, references);
  const afterLeft = whatIsLeft(after, references);
  const fields: Record<string, unknown> = {};
  let hasNewer = false;
  for (const [name, value] of Object.entries(others) as [keyof LinkRecord, unknown][]) {
    // The record that it referred to may have been deleted since, which needs no undo first.
    const isStill = present[name] === after[name] || present[name] === afterLeft[name];
    if (isStill) fields[name] = value;
    else if (present[name] !== value) hasNewer = true;
  }
  if (channels) fields.channels = withoutChange(present.channels ?? [], channels, after.channels ?? []);
  if (pixels !== undefined) {
    const idsOf = (text = '[]') => storedList<number>(text, 'number');
    fields.pixels = JSON.stringify(withoutChange(idsOf(present.pixels), idsOf(pixels), idsOf(after.pixels)));
  }
  return { fields, hasNewer };
}

/**
 * Ids without those that a change added, and with those that it removed; as they were if nothing changed in between.
 */
function withoutChange(present: number[], before: number[], after: number[]): number[] {
  if (JSON.stringify(present) === JSON.stringify(after)) return before;
  const left = present.filter((id) => before.includes(id) || !after.includes(id));
  const back = before.filter((id) => !after.includes(id) && !left.includes(id));
  return [...left, ...back].sort((one, other) => one - other);
}

function snapshotOf(row: LinkRow): LinkSnapshot {
  return { ...pickRecord(row), channels: JSON.parse(row.channels) as number[] };
}

function usableDomain(id: number, references: References): number | null {
  try {
    return references.domain(id);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function difference(
  before: LinkSnapshot,
  after: LinkSnapshot,
): [Record<string, unknown>, Record<string, unknown>] {
  const from: Record<string, unknown> = {};
  const to: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after) as [keyof LinkSnapshot, unknown][]) {
    // All but the channels are plain values, and a bulk action asks this for each of them twice.
    if (before[name] === value) continue;
    if (typeof value === 'object' && JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    from[name] = before[name];
    to[name] = value;
  }
  return [from, to];
}
