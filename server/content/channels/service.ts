import {
  type ChannelChange,
  type ChannelItem,
  type ChannelItemType,
  channelNameProblem,
  type NewChannel,
} from '../../contract/channels.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, Refusal, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { presentDate } from '../../platform/http/timestamps.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { Trash } from '../../platform/trash/service.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { LinkService } from '../links/service.ts';
import { isBeyondMost, tooManyChannels } from './most.ts';
import type {
  ChannelItemRow,
  ChannelLists,
  ChannelQueries,
  ChannelRecord,
  ChannelRow,
  TrashedChannel,
} from './queries.ts';

/** How a channel presents an item. */
export interface ItemCard {
  title: string;
  preview: string;
  link: string;
  /** UTC milliseconds. */
  createdAt: number;
}

/** Finds a record of the account; undefined if it does not exist or belongs to someone else. */
export type FindItem = (id: number, account: Account) => ItemCard | undefined;

interface Options {
  queries: ChannelQueries;
  lists: ChannelLists;
  links: Pick<LinkService, 'get' | 'update'>;
  /** The item types other than links; a missing type has no items yet. */
  items: Partial<Record<'bio' | 'qr', FindItem>>;
  baseUrl: () => string;
  trash: Trash;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** Channels: labels that group links, bio pages and QR codes by source (contract, "Channels"). */
export function channelService(options: Options) {
  const { queries, lists, links, items, baseUrl, trash, now, transactions, changes } = options;

  const { get, remove, restore } = trash.removable<ChannelRow, TrashedChannel>({
    resource: 'channels',
    label: 'Channel',
    affects: ['links'],
    find: queries.find,
    contentOf: (row) => ({ row }),
    remove: queries.remove,
    reinsert({ row }, { user }) {
      checkCeiling('channels', queries.count(user.id));
      checkName(row.name, user.id);
      queries.reinsert(row, user.id);
    },
  });

  function checkName(name: string, userId: number, own?: number): void {
    const holder = queries.findByName(userId, caseFold(name));
    if (holder !== undefined && holder !== own) {
      throw rejected('name_taken', 'name', 'You already have a channel with this name.');
    }
  }

  /** Decision 0090. */
  function checkForm(name: string): void {
    const problem = channelNameProblem(name);
    if (problem === 'empty_part') {
      throw rejected(
        problem,
        'name',
        'Write something before, between and after the slashes, such as print/2027.',
      );
    }
    if (problem) throw rejected(problem, 'name', 'Remove the characters that change the writing direction.');
  }

  function findLink(id: number, account: Account): ItemCard {
    const row = links.get(id, account);
    return {
      title: row.title ?? row.alias,
      preview: row.url,
      link: shortUrl(row, baseUrl()),
      createdAt: row.created_at,
    };
  }

  function findItem(type: ChannelItemType, id: number, account: Account): ItemCard {
    const card = type === 'links' ? findLink(id, account) : items[type]?.(id, account);
    if (!card) throw notFound(type === 'qr' ? 'QR code' : 'Bio page');
    return card;
  }

  /** The same for listed items; undefined for those deleted since. */
  function cardOf(type: ChannelItemType, id: number, account: Account): ItemCard | undefined {
    try {
      return findItem(type, id, account);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  function shownItems(rows: readonly ChannelItemRow[], account: Account): ChannelItem[] {
    return rows.flatMap(({ type, id }) => {
      const card = cardOf(type, id, account);
      if (!card) return [];
      const { title, preview, link, createdAt } = card;
      return [{ type, id, title, preview, link, date: presentDate(createdAt, account.user.timezone) }];
    });
  }

  /** Changes the channels of a link like any other edit of it: with its lock, its history and its undo. */
  async function setLink(channelId: number, id: number, account: Account, member: boolean): Promise<void> {
    const current = JSON.parse(links.get(id, account).channels) as number[];
    if (current.includes(channelId) === member) return;
    const others = current.filter((other) => other !== channelId);
    await links.update(id, account, { channel: member ? [...others, channelId] : others });
  }

  function assignItem(channelId: number, type: 'bio' | 'qr', id: number, account: Account): void {
    const { createdAt } = findItem(type, id, account);
    transactions.atomically(() => {
      const others = queries.placesOf(type, id).filter((place) => place !== channelId);
      if (isBeyondMost(others.length + 1, others.length)) throw tooManyChannels();
      queries.assignItem(channelId, type, id, createdAt);
    });
  }

  return {
    get,
    /** Unassigns all its items first; the items are kept (contract, "States and transitions"). */
    remove,
    /** Throws 404 when there is nothing to restore, 400 when its name is taken by now. */
    restore,

    list: (
      account: Account,
      filter: { q: string | undefined; starred: boolean },
      page: ListPage,
    ): Promise<Page<ChannelRow>> => lists.list(account.user.id, filter, page),

    async listItems(
      channel: ChannelRow,
      type: ChannelItemType | undefined,
      account: Account,
      page: ListPage,
    ): Promise<ChannelItem[]> {
      return shownItems(await lists.listItems(channel.id, type, page), account);
    },

    /** The same of a channel and those below it, each thing once, and how many there are. */
    async listNested(
      channel: ChannelRow,
      type: ChannelItemType | undefined,
      account: Account,
      page: ListPage,
    ): Promise<Page<ChannelItem>> {
      const { rows, total } = await lists.listNested(account.user.id, channel.id, type, page);
      return { rows: shownItems(rows, account), total };
    },

    add(account: Account, body: NewChannel): ChannelRow {
      const userId = account.user.id;
      const id = transactions.atomically(() => {
        checkForm(body.name);
        checkCeiling('channels', queries.count(userId));
        checkName(body.name, userId);
        const record: ChannelRecord = {
          name: body.name,
          description: body.description || null,
          color: body.color || null,
          starred: body.starred ? 1 : 0,
        };
        return queries.insert(userId, record, caseFold(body.name), now());
      });
      changes.publish({ accountId: userId, resource: 'channels', ids: [id] });
      return get(id, account);
    },

    update(id: number, account: Account, body: ChannelChange): ChannelRow {
      transactions.atomically(() => {
        const row = get(id, account);
        const name = body.name ?? row.name;
        if (name !== row.name) {
          checkForm(name);
          checkName(name, account.user.id, id);
        }
        queries.update(id, {
          name,
          description: body.description === undefined ? row.description : body.description || null,
          color: body.color === undefined ? row.color : body.color || null,
          starred: body.starred === undefined ? row.starred : body.starred ? 1 : 0,
        });
      });
      changes.publish({ accountId: account.user.id, resource: 'channels', ids: [id] });
      return get(id, account);
    },

    /** The same for channels, counting only what a person created. */
    ownCounts: lists.ownCounts,

    /** How many things of each type are in a channel. */
    countItems: (channel: ChannelRow): Record<ChannelItemType, number> => queries.countItems(channel.id),

    /**
     * Adds an item to a channel. Idempotent. Throws 404 for records of other accounts, and 400 `too_many` for items in
     * the maximum number of channels.
     */
    async assign(channelId: number, type: ChannelItemType, id: number, account: Account): Promise<void> {
      get(channelId, account);
      if (type === 'links') await setLink(channelId, id, account, true);
      else assignItem(channelId, type, id, account);
      changes.publish({ accountId: account.user.id, resource: 'channels', ids: [channelId] });
    },

    async unassign(channelId: number, type: ChannelItemType, id: number, account: Account): Promise<void> {
      get(channelId, account);
      if (type === 'links') await setLink(channelId, id, account, false);
      else {
        findItem(type, id, account);
        queries.unassignItem(channelId, type, id);
      }
      changes.publish({ accountId: account.user.id, resource: 'channels', ids: [channelId] });
    },
  };
}

export type ChannelService = ReturnType<typeof channelService>;
