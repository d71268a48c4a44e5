import type { BodyOf } from '../../contract/endpoint.ts';
import type { MovedResource, MoveSkip, move } from '../../contract/moving.ts';
import { powers, reaches } from '../../contract/roles.ts';
import type { AccountMembership } from '../../identity/teams/membership.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { notFound, rejected, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { roleTooLow, sessionOnly } from '../../platform/http/member-check.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { ChangeQueries } from '../links/change-queries.ts';
import { leftovers } from './leftovers.ts';
import { type MoveOrder, type MoverParts, mover } from './mover.ts';
import type { MovedRecord, MoveRow } from './queries.ts';
import { restorer } from './restorer.ts';

type Request = BodyOf<typeof move>;

export interface Moved {
  moved: number;
  skipped: { id: number; code: MoveSkip }[];
  undo: number | null;
}

/** The caller's current permissions. */
export interface MoveCall {
  readonly caller: Caller;
  /** Throws if they may not continue. */
  checkStillAllowed(): void;
}

interface Options extends MoverParts {
  changeRows: Pick<ChangeQueries, 'insert' | 'find' | 'markUndone'>;
  slices: Slices;
  backlog: Backlog;
  changes: Pick<Changes, 'publish'>;
  audit: AuditLog;
  /** A person's role in an account; undefined if they do not belong to it. */
  membershipOf: (person: Caller['person'], account: number) => AccountMembership | undefined;
  /** Forgets the cached owners of links; false while that has to wait. */
  forgetOwners: () => boolean;
  /** Counts clicks for a few milliseconds. */
  countRecent: () => Promise<void>;
  /** Sends the metrics of moved links after them. */
  wakeMetrics: () => void;
}

/** Records examined per step. */
const recordsPerStep = 10;
/** Everything that moves, what others refer to first. */
const handedOver: readonly MovedResource[] = [
  'pixels',
  'splash',
  'overlays',
  'campaigns',
  'channels',
  'files',
  'links',
  'qr',
  'bio',
];
/** How often a batch of clicks is counted on, before a move is put off. */
const mostLooks = 1_000;

/**
 * Moves records between the accounts of one person, and back. It runs in slices, each a transaction in which every
 * record moves completely or not at all; a small move is a single one. What a stop interrupts stays where it is, and
 * undo covers what was moved.
 */
export function movingService(options: Options) {
  const { queries, references, changeRows, slices, transactions, changes, audit, membershipOf, now } =
    options;
  /** Moves whose request is under way. */
  const attended = new Set<number>();
  let rest: { changeId: number; step: () => boolean } | undefined;

  /** The account that a request names. Throws 400 `account_not_found` with the field. */
  function accountOf(caller: Caller, id: number, field: 'from' | 'to'): AccountMembership {
    const found = membershipOf(caller.person, id);
    if (found) return found;
    throw rejected('account_not_found', field, 'You do not have access to this account. Choose another one.');
  }

  /** Why a person may not move a record created by someone. */
  function refusing(source: AccountMembership, person: number): MoveOrder['refusalOf'] {
    return (creator) => {
      const isOwn = creator === person;
      if (source.ownOnly && !isOwn) return 'not_found';
      return reaches(powers[source.role].edit, () => isOwn) ? undefined : 'role_too_low';
    };
  }

  async function inSlices(step: () => boolean): Promise<void> {
    if (await slices.run(step)) return;
    throw unavailable(
      'The server is stopping. What has moved can be undone; move the rest after its next start.',
    );
  }

  function begin(from: number, to: number, person: number, action: string): MoveRow {
    return transactions.atomically(() => {
      const changeId = changeRows.insert(from, action, now());
      const row = { change_id: changeId, from_id: from, to_id: to, person_id: person };
      queries.insertMove(row);
      attended.add(changeId);
      return { ...row, finished: 0 };
    });
  }

  /** Calls `visit` with one thing after the other, while no batch of clicks is half counted. */
  async function eachOf<Thing>(
    take: () => readonly Thing[],
    visit: (thing: Thing) => void,
    check: () => void = () => {},
  ): Promise<void> {
    let things: readonly Thing[] = [];
    for (let isOver = false; !isOver; ) {
      await settleClicks();
      await inSlices(() => {
        // A batch was begun since: it has to be over first.
        if (!options.forgetOwners()) return false;
        check();
        if (things.length === 0) things = take();
        const [thing, ...others] = things;
        isOver = thing === undefined;
        if (thing === undefined) return false;
        visit(thing);
        things = others;
        return true;
      });
    }
  }

  async function settleClicks(): Promise<void> {
    for (let looks = 0; !options.forgetOwners(); looks += 1) {
      if (looks === mostLooks) throw unavailable('Clicks are being counted. Try again in a minute.');
      await options.countRecent();
    }
  }

  /** Published after the last commit: the live pages of both accounts, and the statistics. */
  function tell({ from_id: from, to_id: to }: MoveRow, touched: ReadonlySet<MovedResource>): void {
    for (const resource of touched) {
      for (const accountId of [from, to]) changes.publish({ accountId, resource, ids: [] });
    }
    if (touched.has('links')) options.wakeMetrics();
  }

  /** Sees to what has stayed, and returns what kinds of things the move was about. */
  async function finish(row: MoveRow): Promise<Set<MovedResource>> {
    await inSlices(leftovers({ queries, references }, row));
    const touched = new Set<MovedResource>();
    let last = 0;
    await inSlices(() => {
      const records = queries.records(row.change_id, last, recordsPerStep);
      for (const { resource } of records) touched.add(resource);
      last = records.at(-1)?.id ?? last;
      return records.length > 0;
    });
    return touched;
  }

  /** Moves the given records, and cleans up; the clean-up also runs after an error. */
  async function carryOut(
    row: MoveRow,
    work: () => Promise<void>,
    actor: Actor,
    resource: string,
  ): Promise<number | null> {
    try {
      await work();
      if (!queries.hasMoved(row.change_id)) {
        transactions.atomically(() => queries.finish(row.change_id));
        return null;
      }
      const touched = await finish(row);
      transactions.atomically(() => {
        for (const account of [row.from_id, row.to_id]) {
          audit.note(actor, 'records.moved', { resource, from: row.from_id, to: row.to_id }, account);
        }
      });
      tell(row, touched);
    } finally {
      attended.delete(row.change_id);
    }
    return row.change_id;
  }

  /** Continues what a stop interrupted; false if there is nothing. */
  function doRest(): boolean {
    let after = 0;
    for (;;) {
      const row = queries.nextUnfinished(after);
      if (!row) return false;
      after = row.change_id;
      if (attended.has(after)) continue;
      if (rest?.changeId !== after) rest = { changeId: after, step: leftovers({ queries, references }, row) };
      if (!rest.step()) {
        rest = undefined;
        options.wakeMetrics();
      }
      return true;
    }
  }
  options.backlog.add({ name: 'moved records', step: doRest });

  /**
   * The two accounts of a move. Throws 400 for accounts that are not the person's, 403 for a key or an insufficient
   * role.
   */
  function accounts(caller: Caller, { from, to }: Pick<Request, 'from' | 'to'>) {
    if (caller.key.kind !== 'session') throw sessionOnly();
    const source = accountOf(caller, from, 'from');
    const target = accountOf(caller, to, 'to');
    if (from === to) {
      throw rejected('same_account', 'to', 'These records are in this account already. Choose another one.');
    }
    if (powers[source.role].edit === false || powers[target.role].create !== true) throw roleTooLow();
    return { source, target };
  }

  return {
    accounts,

    /** Throws 400 for accounts that are not the person's, 403 for a role that is too low and for a key. */
    async move(call: MoveCall, request: Request, actor: Actor): Promise<Moved> {
      const { caller } = call;
      const { target: to } = accounts(caller, request);
      const person = caller.person.user.id;
      const { resource, related } = request;
      const row = begin(request.from, request.to, person, `move ${resource}`);
      const skipped: Moved['skipped'] = [];
      const ids = new Set(request.ids);
      const { move } = mover(options, {
        changeId: row.change_id,
        from: request.from,
        to: to.account,
        related,
        refusalOf: (creator) => refusing(accounts(call.caller, request).source, person)(creator),
        isHidden: (resource, id) => to.ownOnly && queries.find(resource, id, request.to)?.creator !== person,
      });
      let todo: readonly number[] = [...ids];
      const take = () => {
        const some = todo.slice(0, recordsPerStep);
        todo = todo.slice(recordsPerStep);
        return some;
      };
      // It may take seconds, and revoked permissions take effect immediately: what was moved by then can be undone.
      const check = () => {
        call.checkStillAllowed();
        accounts(call.caller, request);
      };
      const visit = (id: number) => {
        // It went along with something before it.
        if (queries.isMoved(row.change_id, resource, id)) return;
        const code = move(resource, id);
        if (code !== undefined) skipped.push({ id, code });
      };
      const work = () => eachOf(take, visit, check);
      const undo = await carryOut(row, work, actor, resource);
      return { moved: ids.size - skipped.length, skipped, undo };
    },

    /** Transfers everything of an account that is about to be deleted, its domains first. Throws 503 on a stop. */
    async handOver(from: Account, to: Account, actor: Actor): Promise<void> {
      const [fromId, toId] = [from.user.id, to.user.id];
      await inSlices(() => queries.giveDomain(fromId, toId));
      const row = begin(fromId, toId, actor.userId ?? fromId, 'move everything');
      const { move } = mover(options, {
        changeId: row.change_id,
        from: fromId,
        to,
        related: 'move',
        refusalOf: () => undefined,
        ignoresPlan: true,
      });
      const work = async () => {
        for (const resource of handedOver) {
          let last = 0;
          const take = () => {
            const ids = queries.idsOf(resource, fromId, last, recordsPerStep);
            last = ids.at(-1) ?? last;
            return ids;
          };
          await eachOf(take, (id) => void move(resource, id));
        }
      };
      await carryOut(row, work, actor, 'everything');
      changes.publish({ accountId: toId, resource: 'domains', ids: [] });
    },

    /**
     * Undoes a move, in either account. Undefined for other changes. Throws 404 for others' changes, 403 without
     * permission, 400 if nothing can be moved back.
     */
    async undo(changeId: number, call: MoveCall, actor: Actor): Promise<{ count: number } | undefined> {
      const { caller } = call;
      const made = queries.findMove(changeId);
      if (!made) return undefined;
      const { from_id: home, to_id: source, person_id: person } = made;
      if (caller.user.id !== home && caller.user.id !== source) throw notFound('Change');
      if (caller.ownOnly && person !== caller.person.user.id) throw notFound('Change');
      if (caller.key.kind !== 'session') throw sessionOnly();
      const rights = () => {
        const from = membershipOf(call.caller.person, source);
        const to = membershipOf(call.caller.person, home);
        if (!from || !to || powers[from.role].edit === false || powers[to.role].create !== true)
          throw roleTooLow();
        return { from, to };
      };
      const { to } = rights();
      if (changeRows.find(changeId, home)?.undone_at !== null || attended.has(changeId)) {
        throw rejected('already_undone', undefined, 'This change is already undone.');
      }
      attended.add(changeId);
      try {
        const row = begin(source, home, caller.person.user.id, 'undo move');
        let count = 0;
        const back = mover(options, {
          changeId: row.change_id,
          from: source,
          to: to.account,
          related: 'leave',
          refusalOf: (creator) => refusing(rights().from, caller.person.user.id)(creator),
        });
        const check = () => {
          call.checkStillAllowed();
          rights();
        };
        const restore = restorer({ queries, references }, home);
        const work = async () => {
          const moveBack = ({ resource, record_id: id }: MovedRecord) => {
            if (back.move(resource, id) === undefined) count += 1;
          };
          await eachOf(recordsOf(changeId, 1), moveBack, check);
          for (const kind of [1, 0] as const) await eachOf(recordsOf(changeId, kind), restore);
        };
        if ((await carryOut(row, work, actor, 'undo')) === null) {
          throw rejected('nothing_to_undo', undefined, 'Nothing of this move can be restored any more.');
        }
        transactions.atomically(() => changeRows.markUndone(changeId, now()));
        return { count };
      } finally {
        attended.delete(changeId);
      }
    },
  };

  /** Some records of a move after the other: those that moved, or those that stayed. */
  function recordsOf(changeId: number, kind: 0 | 1): () => MovedRecord[] {
    let last = 0;
    return () => {
      for (;;) {
        const records = queries.records(changeId, last, recordsPerStep);
        last = records.at(-1)?.id ?? last;
        const found = records.filter(({ moved }) => moved === kind);
        if (found.length > 0 || records.length === 0) return found;
      }
    };
  }
}

export type MovingService = ReturnType<typeof movingService>;
