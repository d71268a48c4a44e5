import { notFound, rejected, unavailable } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { ChangedLinkRow, ChangeQueries } from './change-queries.ts';
import type { References } from './fields.ts';
import {
  aliasTaken,
  type LinkHistory,
  type LinkSnapshot,
  locked,
  undoneFields,
  withoutPassedDays,
} from './history.ts';
import { plannedAliases } from './planned-aliases.ts';
import { type LinkQueries, type LinkRow, pickRecord } from './queries.ts';
import { linkQuota, linkQuotaExceeded } from './quota.ts';

interface Options {
  queries: LinkQueries;
  aliases: AliasQueries;
  changes: ChangeQueries;
  channels: { setForLink(linkId: number, channelIds: readonly number[]): void };
  history: LinkHistory;
  /** What the fields of an account's links refer to. */
  references: { of(account: Account): References };
  slices: Slices;
  now: () => number;
}

/** On how many links a change was taken back, and on how many of it something stays that was changed again since. */
export interface Undone {
  count: number;
  newer: number;
}

/** Links that are read at a time. */
const linksAtOnce = 10;

interface Restored {
  row: LinkRow;
  snapshot: LinkSnapshot;
}

/**
 * Undoes changes of links. A change of many links is undone in slices, each a transaction: first all are checked, and
 * nothing is written if one cannot be undone; then they are written. What a crash interrupts can be requested again,
 * since restored links stay as they are. Fields changed again since are kept.
 */
export function linkUndo(options: Options) {
  const { queries, aliases, changes, channels, history, references, slices, now } = options;
  const room = linkQuota(queries);
  const underWay = new Set<number>();

  /**
   * Calls `visit` with each link that the change affected, in its previous state, in slices. Returns for how many
   * links newer changes were kept.
   */
  async function eachLink(
    changeId: number,
    { user, plan }: Account,
    visit: (link: Restored) => void,
    checkAllowed: () => void,
  ): Promise<number> {
    // Undoing a deletion restores everything, including what the person may not see.
    const known = references.of({ user, plan });
    let newer = 0;
    let last = 0;
    let read: ChangedLinkRow[] = [];

    function visitOne({ link_id, before, after }: ChangedLinkRow): void {
      const row = queries.find(link_id, user.id);
      if (!row) return;
      const [from, to] = [before, after].map((json) => JSON.parse(json) as Partial<LinkSnapshot>);
      const { fields, hasNewer } = undoneFields(row, { before: from ?? {}, after: to ?? {} }, known);
      if (hasNewer) newer += 1;
      const back = { ...pickRecord(row), ...fields };
      // A link restored from the trash may still have such a date.
      const isBack = row.trashed_at !== null && back.trashed_at === null;
      const days = isBack ? back : fields;
      const snapshot = { ...back, ...withoutPassedDays(days, now()) };
      if (history.isChange(row, snapshot)) visit({ row, snapshot });
    }

    // One link per step: the clock is checked after each.
    const isOver = await slices.run(() => {
      checkAllowed();
      if (read.length === 0) read = changes.linksOf(changeId, last, linksAtOnce);
      const link = read.shift();
      if (!link) return false;
      last = link.link_id;
      visitOne(link);
      return true;
    });
    if (!isOver) throw unavailable('The server is stopping. Undo the rest after its next start.');
    return newer;
  }

  const isLocked = ({ row, snapshot }: Restored) => row.locked === 1 && snapshot.locked !== 0;

  /** Throws 400 or 403 when the change cannot be taken back as a whole. */
  async function check(changeId: number, account: Account, checkAllowed: () => void): Promise<void> {
    const planned = plannedAliases(aliases);
    let count = 0;
    let fromTrash = 0;
    const newer = await eachLink(
      changeId,
      account,
      (link) => {
        if (isLocked(link)) throw locked();
        if (!planned.plan(link.row, link.snapshot)) throw aliasTaken();
        count += 1;
        if (link.row.trashed_at !== null && link.snapshot.trashed_at === null) fromTrash += 1;
      },
      checkAllowed,
    );
    if (count === 0 && newer > 0)
      throw rejected(
        'changed_since',
        undefined,
        'This was changed again since. Undo the newer change first, or edit the link.',
      );
    if (count === 0)
      throw rejected(
        'nothing_to_undo',
        undefined,
        'Nothing left to undo: the links, or what the change removed from them, no longer exist.',
      );
    if (fromTrash > 0 && room.left(account) < fromTrash) throw linkQuotaExceeded(account);
  }

  /**
   * Returns how many links were changed, and for how many newer changes were kept. A link that was just locked or lost
   * its alias is unchanged.
   */
  async function write(
    { id: changeId, action }: { id: number; action: string },
    account: Account,
    checkAllowed: () => void,
  ): Promise<Undone> {
    const planned = plannedAliases(aliases);
    let undoing: number | undefined;
    let count = 0;
    const newer = await eachLink(
      changeId,
      account,
      (link) => {
        const { row, snapshot } = link;
        if (isLocked(link) || !planned.plan(row, snapshot)) return;
        undoing ??= history.begin(account.user.id, `undo ${action}`);
        const { channels: channelIds, ...record } = snapshot;
        history.note(undoing, row, snapshot);
        history.store(row, record);
        if (channelIds) channels.setForLink(row.id, channelIds);
        count += 1;
      },
      checkAllowed,
    );
    changes.markUndone(changeId, now());
    return { count, newer };
  }

  /**
   * Undoes a change. Throws 404 for another user's; 400 if it cannot be undone any more, was changed again completely,
   * or a link of it is locked or has lost its alias; 403 if the quota is used up. `checkAllowed` is called repeatedly;
   * what was undone before it throws stays, and the rest can be undone by anyone permitted to.
   */
  return async (changeId: number, account: Account, checkAllowed: () => void): Promise<Undone> => {
    const change = changes.find(changeId, account.user.id);
    if (!change) throw notFound('Change');
    if (change.undone_at !== null || underWay.has(changeId))
      throw rejected('already_undone', undefined, 'This change is already undone.');
    underWay.add(changeId);
    try {
      await check(changeId, account, checkAllowed);
      return await write(change, account, checkAllowed);
    } finally {
      underWay.delete(changeId);
    }
  };
}

export type LinkUndo = ReturnType<typeof linkUndo>;
