import { notFound, Refusal, rejected } from '../errors.ts';
import type { AliasQueries } from './alias-queries.ts';
import type { ChangeQueries } from './change-queries.ts';
import type { References } from './fields.ts';
import { type LinkQueries, type LinkRecord, type LinkRow, pickRecord } from './queries.ts';

interface Options {
  links: LinkQueries;
  aliases: AliasQueries;
  changes: ChangeQueries;
  /** What the fields of an account's links refer to. */
  referencesOf: (userId: number) => References;
  now: () => number;
}

/** A record together with the link's channels: what history keeps and undo restores. */
export type LinkSnapshot = LinkRecord & { channels?: number[] };

interface ChannelAssignment {
  setForLink(linkId: number, channelIds: readonly number[]): void;
}

/**
 * Writes changes of links and takes them back. Everything here runs inside a transaction of the caller.
 */
export function linkHistory({
  links,
  aliases,
  changes,
  referencesOf,
  now,
  channels,
}: Options & { channels: ChannelAssignment }) {
  /**
   * Stores a link's new record: moves its alias when it changed, frees it when the link goes to the trash.
   * Throws 400 `alias_taken`, and has changed nothing then.
   */
  function store(row: LinkRow, record: LinkRecord): void {
    const moved = record.alias !== row.alias || record.domain_id !== row.domain_id;
    if (record.trashed_at !== null) aliases.release('link', row.id);
    else {
      // Also where it stays: a link that has lost its alias takes it back with whatever is saved.
      const held = aliases.move(record.domain_id, record.alias, 'link', row.id);
      if (!held && (moved || row.trashed_at !== null)) throw aliasTaken();
    }
    links.update(row.id, record, now());
  }

  return {
    store,

    begin: (userId: number, action: string): number => changes.insert(userId, action, now()),

    /** Whether a snapshot differs from what the link is now. */
    isChange: (row: LinkRow, after: LinkSnapshot): boolean =>
      Object.keys(difference(snapshotOf(row), after)[1]).length > 0,

    /** Notes what a change did to one link; a change that did nothing leaves no trace. */
    note(changeId: number, row: LinkRow, after: LinkSnapshot): boolean {
      const [from, to] = difference(snapshotOf(row), after);
      if (Object.keys(to).length === 0) return false;
      changes.insertLink(changeId, row.id, from, to);
      return true;
    },

    /**
     * Takes a change back, link by link; returns how many links it changed. Throws 404 for another user's, 400 when it
     * cannot be undone any more, or a link of it is locked by now.
     */
    undo(changeId: number, userId: number): number {
      const change = changes.find(changeId, userId);
      if (!change) throw notFound('Change');
      if (change.undone_at !== null)
        throw rejected('already_undone', undefined, 'This change was undone already.');
      const undoing = changes.insert(userId, `undo ${change.action}`, now());
      const references = referencesOf(userId);
      let count = 0;
      for (const { link_id, before } of changes.linksOf(changeId)) {
        const row = links.find(link_id, userId);
        if (!row) continue;
        const { channels: channelIds, ...fields } = whatIsLeft(
          JSON.parse(before) as Partial<LinkSnapshot>,
          references,
        );
        if (row.locked === 1 && fields.locked !== 0) throw locked();
        const record = { ...pickRecord(row), ...fields };
        if (!this.note(undoing, row, { ...record, ...(channelIds && { channels: channelIds }) })) continue;
        store(row, record);
        if (channelIds) channels.setForLink(link_id, channelIds);
        count += 1;
      }
      if (count === 0)
        throw rejected(
          'nothing_to_undo',
          undefined,
          'There is nothing left to undo: the links are gone, or what the change took from them is.',
        );
      changes.markUndone(changeId, now());
      return count;
    },
  };
}

export type LinkHistory = ReturnType<typeof linkHistory>;

/** 400: a lock guards a link against accidental edits until it is taken off. */
export function locked() {
  return rejected('locked', undefined, 'This link is locked. Unlock it first.');
}

/** 400: somebody, oneself included, already uses this alias on this domain. `field` is what the resource calls it. */
export function aliasTaken(field = 'custom') {
  return rejected('alias_taken', field, 'This alias is already taken. Choose another one.');
}

/** A snapshot without what was deleted since it was taken: a campaign that is gone comes back as none. */
function whatIsLeft(fields: Partial<LinkSnapshot>, references: References): Partial<LinkSnapshot> {
  const left = { ...fields };
  if (left.campaign_id && !references.ownsCampaign(left.campaign_id)) left.campaign_id = null;
  if (left.channels) left.channels = left.channels.filter(references.ownsChannel);
  if (left.pixels !== undefined) {
    left.pixels = JSON.stringify((JSON.parse(left.pixels) as number[]).filter(references.ownsPixel));
  }
  const isOwnPage = left.type !== undefined && !['direct', 'frame', 'splash'].includes(left.type);
  if (isOwnPage && !references.ownsType(left.type as string)) left.type = 'direct';
  if (left.domain_id) left.domain_id = usableDomain(left.domain_id, references);
  return left;
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
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    from[name] = before[name];
    to[name] = value;
  }
  return [from, to];
}
