import { type PixelType, pixelTags } from '../contract/pixels.ts';
import type { Transactions } from '../database/transactions.ts';
import { notFound, planRequired, rejected } from '../errors.ts';
import type { Page } from '../http/pagination.ts';
import type { Account } from '../users/service.ts';
import type { PixelQueries, PixelRow } from './queries.ts';

interface Options {
  queries: PixelQueries;
  now: () => number;
  transactions: Transactions;
  /** Tells live pages what changed. */
  onChange: (userId: number, resource: string, ids: number[]) => void;
}

/** Pixels of advertising and statistics services that pages of links load (decisions, section 5). */
export function pixelService({ queries, now, transactions, onChange }: Options) {
  function get(id: number, account: Account): PixelRow {
    const row = queries.find(id, account.user.id);
    if (!row) throw notFound('Pixel');
    return row;
  }

  return {
    get,

    list: (account: Account, page: { limit: number; offset: number }): Page<PixelRow> =>
      queries.list(account.user.id, page),

    add(account: Account, { type, name, tag }: Pick<PixelRow, 'type' | 'name' | 'tag'>): number {
      const userId = account.user.id;
      checkPlan(account, queries.count(userId));
      const id = queries.insert(userId, type, name, readTag(type, tag), now());
      onChange(userId, 'pixels', [id]);
      return id;
    },

    update(
      id: number,
      account: Account,
      body: { name?: string | undefined; tag?: string | undefined },
    ): void {
      checkPlan(account);
      const row = get(id, account);
      queries.update(
        id,
        body.name ?? row.name,
        body.tag === undefined ? row.tag : readTag(row.type, body.tag),
      );
      onChange(account.user.id, 'pixels', [id]);
    },

    /** Takes it off all links in the same transaction. */
    remove(id: number, account: Account): void {
      get(id, account);
      transactions.atomically(() => queries.remove(id, account.user.id));
      onChange(account.user.id, 'pixels', [id]);
      onChange(account.user.id, 'links', []);
    },
  };
}

export type PixelService = ReturnType<typeof pixelService>;

/** A tag in stored form. Throws 400 `invalid_tag` with an example for the type. */
function readTag(type: PixelType, text: string): string {
  const tag = text.trim();
  const { pattern, example } = pixelTags[type];
  if (pattern.test(tag)) return tag;
  throw rejected('invalid_tag', 'tag', `Enter the id alone, without any code, such as ${example}.`);
}

/** 403 `plan_required` on a plan without pixels, or whose number of them is reached. */
function checkPlan({ plan }: Account, count?: number): void {
  const { enabled = false, count: most = -1 } = plan.features.pixels ?? {};
  if (!enabled || (count !== undefined && most >= 0 && count >= most)) throw planRequired('pixels');
}
