import { composed } from '../../contract/composed.ts';
import type { LinkChange, NewLink } from '../../contract/links.ts';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Page } from '../../platform/http/pagination.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import { isBeyondMost, tooManyChannels } from '../channels/most.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { AliasSettingsStore } from './alias-settings.ts';
import type { MadeAlias } from './aliases.ts';
import { applyChange, type Context, type LinkEdit } from './fields.ts';
import { aliasTaken, type LinkHistory, locked } from './history.ts';
import type { LinkFilter } from './link-filter.ts';
import type { LinkLists } from './list-queries.ts';
import { emptyRecord, type LinkQueries, type LinkRecord, type LinkRow, pickRecord } from './queries.ts';
import { linkQuota } from './quota.ts';
import type { LinkReferences } from './references.ts';
import { type ShortAddress, splitShort } from './short-address.ts';
import type { LinkUndo, Undone } from './undo.ts';

interface Options {
  queries: LinkQueries;
  lists: Pick<LinkLists, 'list'>;
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  history: LinkHistory;
  passwords: Passwords;
  aliasSettings: Pick<AliasSettingsStore, 'inForce'>;
  madeAlias: MadeAlias;
  now: () => number;
  transactions: Transactions;
  undo: LinkUndo;
  /** Called when a link is permanently deleted. */
  onPurge: () => void;
  changes: Pick<Changes, 'publish'>;
}

/** What goes along with the making of a link. */
interface Adding {
  /** Called with the new link before it is committed. */
  written?: (row: LinkRow) => void;
  /** Returns an existing link instead of a new one. */
  existing?: () => LinkRow | undefined;
}

/** Links: the resource that everything else groups, shows or counts. */
export function linkService(options: Options) {
  const { queries, aliases, channels, references, history, passwords, madeAlias, now, changes } = options;
  const { atomically } = options.transactions;
  const room = linkQuota(queries);

  function get(id: number, account: Account): LinkRow {
    const row = queries.find(id, account.user.id);
    if (!row || row.trashed_at !== null) throw notFound('Link');
    return row;
  }

  async function withPassword({ record, password }: LinkEdit, { user }: Account): Promise<LinkRecord> {
    if (password === undefined) return record;
    const hash = password === null ? null : await passwords.hash(password, accountParty(user.id));
    return { ...record, password_hash: hash };
  }

  /** Hashing a password takes a while. Throws 400 if what the change refers to was deleted meanwhile. */
  function checkAgain({ password }: LinkEdit, body: LinkChange, context: Context): void {
    if (password) applyChange(body, context);
  }

  /** Inserts a record under its alias, or under a random one. Runs inside a transaction. Throws 400 `alias_taken`. */
  function insert(userId: number, record: LinkRecord, createdAt: number): number {
    const isTaken = (alias: string) => aliases.holderOf(record.domain_id, alias) !== undefined;
    const alias = record.alias || madeAlias(options.aliasSettings.inForce(userId, record.domain_id), isTaken);
    const id = queries.insert(userId, { ...record, alias }, createdAt);
    if (!aliases.claim(record.domain_id, alias, 'link', id)) throw aliasTaken();
    return id;
  }

  return {
    get,

    list: (
      account: Account,
      filter: LinkFilter,
      order: string,
      page: { limit: number; offset: number },
    ): Promise<Page<LinkRow>> => options.lists.list(account.user.id, filter, order, page, now()),

    /** The link with a short URL. */
    findByShortUrl(account: Account, shorturl: string): LinkRow | undefined {
      return findAt(account, splitShort(shorturl));
    },

    /** The links with an alias, on whichever domain, or with a short URL: for the list's `short` parameter. */
    listByShort(account: Account, short: string): LinkRow[] {
      const parts = splitShort(short);
      if (parts.host === undefined) return queries.listByAlias(account.user.id, decode(parts.alias));
      const found = findAt(account, parts);
      return found ? [found] : [];
    },

    /**
     * Creates a link, and calls `written` in the same transaction. If `existing` finds one by then, it is returned and
     * nothing is created.
     */
    async add(account: Account, body: NewLink, { written, existing }: Adding = {}): Promise<LinkRow> {
      room.check(account);
      const start = { ...emptyRecord, ...defaultsOf(account) };
      const context = { account, references: references.of(account), record: start, now: now() };
      const edit = applyChange(body, context);
      const record = await withPassword(edit, account);
      const { id, isNew } = atomically(() => {
        // Again: others may have been created while the password was hashed.
        const found = existing?.();
        if (found) return { id: found.id, isNew: false };
        room.check(account);
        checkAgain(edit, body, context);
        const made = insert(account.user.id, record, now());
        if (edit.channels) channels.setForLink(made, edit.channels);
        written?.(get(made, account));
        return { id: made, isNew: true };
      });
      if (isNew) changes.publish({ accountId: account.user.id, resource: 'links', ids: [id] });
      return get(id, account);
    },

    /** Updates a link, and calls `written` in the same transaction if anything changed. */
    async update(
      id: number,
      account: Account,
      body: LinkChange,
      written?: (row: LinkRow) => void,
    ): Promise<LinkRow> {
      const before = get(id, account);
      if (before.locked === 1 && body.locked !== false) throw locked();
      const context = {
        account,
        references: references.of(account, before),
        record: pickRecord(before),
        now: now(),
      };
      const edit = applyChange(body, context);
      const record = await withPassword(edit, account);
      const isChanged = atomically(() => {
        // Hashing took a while: other changes made meanwhile are kept.
        const current = get(id, account);
        checkAgain(edit, body, context);
        const merged = { ...pickRecord(current), ...changedFields(context.record, record) };
        const channelIds = edit.channels?.toSorted((one, other) => one - other);
        if (channelIds && isBeyondMost(channelIds.length, (JSON.parse(current.channels) as number[]).length))
          throw tooManyChannels();
        const after = { ...merged, ...(channelIds && { channels: channelIds }) };
        if (!history.isChange(current, after)) return false;
        history.note(history.begin(account.user.id, 'update'), current, after);
        history.store(current, merged);
        if (channelIds) channels.setForLink(id, channelIds);
        written?.(get(id, account));
        return true;
      });
      if (isChanged) changes.publish({ accountId: account.user.id, resource: 'links', ids: [id] });
      return get(id, account);
    },

    /** The link as an update would change it, with the same validation; nothing is stored. */
    preview(id: number, account: Account, body: LinkChange): LinkRow {
      const row = get(id, account);
      const context = {
        account,
        references: references.of(account, row),
        record: pickRecord(row),
        now: now(),
      };
      const { record, password } = applyChange(body, context);
      // Without storing, only whether there is a password matters.
      const hash = password === undefined ? row.password_hash : password && 'to be hashed';
      return { ...row, ...record, password_hash: hash };
    },

    /** The link that `add` would create, with the same validation; nothing is stored, and no alias is generated. */
    previewNew(account: Account, body: NewLink): LinkRow {
      const at = now();
      const { record, password } = applyChange(body, {
        account,
        references: references.of(account),
        record: { ...emptyRecord, ...defaultsOf(account) },
        now: at,
      });
      return {
        ...record,
        password_hash: password ? 'to be hashed' : null,
        ...{ id: 0, user_id: account.user.id, created_at: at, updated_at: at, version: 1 },
        ...{ clicks: 0, unique_clicks: 0, limited_clicks: 0, host: null, channels: '[]' },
      };
    },

    /**
     * Moves a link to the trash; one that is already there, or with `force`, is permanently deleted. Returns the id
     * for undo.
     */
    remove(id: number, account: Account, force: boolean): number | undefined {
      const row = queries.find(id, account.user.id);
      if (!row) throw notFound('Link');
      if (row.locked === 1) throw locked();
      const undo = atomically(() => {
        if (force || row.trashed_at !== null) {
          queries.remove(id);
          return undefined;
        }
        const change = history.begin(account.user.id, 'delete');
        const record = { ...pickRecord(row), trashed_at: now() };
        history.note(change, row, record);
        history.store(row, record);
        return change;
      });
      if (undo === undefined) options.onPurge();
      changes.publish({ accountId: account.user.id, resource: 'links', ids: [id] });
      return undo;
    },

    /** Takes a change back. Throws as `LinkUndo` does. */
    async undo(changeId: number, account: Account, check: () => void): Promise<Undone> {
      try {
        return await options.undo(changeId, account, check);
      } finally {
        // Also when it was stopped in the middle.
        changes.publish({ accountId: account.user.id, resource: 'links', ids: [] });
      }
    },

    insert,
    /** Throws 403 `plan_required` if the quota is used up. */
    checkRoom: room.check,
  };

  function findAt({ user }: Account, { host, alias }: ShortAddress): LinkRow | undefined {
    if (host === undefined) return undefined;
    try {
      return queries.findByAlias(user.id, references.domainOf(host, user.id) ?? 0, decode(alias));
    } catch (error) {
      // A domain that is not theirs has no link of theirs.
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }
}

export type LinkService = ReturnType<typeof linkService>;

/** The account's defaults for new links (contract, "Account"); both need a plan that is not free. */
export function defaultsOf({ user, plan }: Account): Pick<LinkRecord, 'type' | 'domain_id'> {
  return plan.free
    ? { type: emptyRecord.type, domain_id: null }
    : { type: user.defaulttype, domain_id: user.default_domain_id };
}

function changedFields(before: LinkRecord, after: LinkRecord): Partial<LinkRecord> {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof LinkRecord] !== value);
  return Object.fromEntries(changed) as Partial<LinkRecord>;
}

function decode(alias: string): string {
  try {
    return composed(decodeURIComponent(alias));
  } catch {
    // Malformed percent encoding names no link.
    return alias;
  }
}
