import { type PixelType, pixelTag, pixelTags } from '../../contract/pixels.ts';
import { featureCheck } from '../../identity/plans/feature-check.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { PixelLists, PixelQueries, PixelRow } from './queries.ts';

interface Options {
  queries: PixelQueries;
  lists: PixelLists;
  trash: Trash;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** A pixel in the trash. */
interface TrashedPixel {
  row: PixelRow;
}

/** Pixels of advertising and statistics services that pages of links load (decision 0016). */
export function pixelService({ queries, lists, trash, now, transactions, changes }: Options) {
  const checkPlan = featureCheck('pixels', 'pixel', 'pixels', queries.count);

  const { get, remove, restore } = trash.removable<PixelRow, TrashedPixel>({
    resource: 'pixels',
    label: 'Pixel',
    affects: ['links'],
    find: queries.find,
    contentOf: (row) => ({ row }),
    remove: queries.remove,
    reinsert: ({ row }, { user }) => queries.reinsert(row, user.id),
  });

  return {
    get,

    /** `q` is searched in names and tags, ignoring case. */
    async list(account: Account, q: string | undefined, page: ListPage): Promise<Page<PixelRow>> {
      if (q === undefined) return lists.list(account.user.id, page);
      const term = caseFold(q);
      const all = await lists.listAll(account.user.id, page.member);
      const found = all.filter(
        ({ name, tag }) => caseFold(name).includes(term) || caseFold(tag).includes(term),
      );
      return { rows: found.slice(page.offset, page.offset + page.limit), total: found.length };
    },

    countLinks: (row: PixelRow, account: Account): Promise<number> =>
      lists.countLinks(row.id, account.user.id),

    add(account: Account, { type, name, tag }: Pick<PixelRow, 'type' | 'name' | 'tag'>): number {
      const userId = account.user.id;
      checkPlan(account, true);
      const id = queries.insert(userId, type, name, readTag(type, tag), now());
      changes.publish({ accountId: userId, resource: 'pixels', ids: [id] });
      return id;
    },

    update(
      id: number,
      account: Account,
      body: { name?: string | undefined; tag?: string | undefined },
    ): void {
      checkPlan(account);
      transactions.atomically(() => {
        const row = get(id, account);
        const tag = body.tag === undefined ? row.tag : readTag(row.type, body.tag);
        queries.update(id, body.name ?? row.name, tag);
      });
      changes.publish({ accountId: account.user.id, resource: 'pixels', ids: [id] });
    },

    /** Takes it off all links first. */
    remove,

    /** Throws 404 when there is nothing to restore, 403 `plan_required` when the plan has no room. */
    async restore(id: number, account: Account): Promise<void> {
      checkPlan(account, true);
      await restore(id, account);
    },
  };
}

export type PixelService = ReturnType<typeof pixelService>;

/** A tag in stored form. Throws 400 `invalid_tag` with an example for the type. */
function readTag(type: PixelType, text: string): string {
  const tag = text.trim();
  if (pixelTag.test(tag)) return tag;
  const { example } = pixelTags[type];
  throw rejected('invalid_tag', 'tag', `Enter only the id, without any code, such as ${example}.`);
}
