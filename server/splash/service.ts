import type { NewSplash, SplashChange } from '../contract/splash.ts';
import type { Transactions } from '../database/transactions.ts';
import { notFound, planRequired } from '../errors.ts';
import type { Page } from '../http/pagination.ts';
import type { LinkReferences } from '../links/references.ts';
import type { PictureService } from '../pictures/service.ts';
import type { Account } from '../users/service.ts';
import type { SplashQueries, SplashRecord, SplashRow } from './queries.ts';

interface Options {
  queries: SplashQueries;
  references: Pick<LinkReferences, 'readDestination'>;
  pictures: PictureService;
  now: () => number;
  transactions: Transactions;
  /** Tells live pages what changed. */
  onChange: (userId: number, resource: string, ids: number[]) => void;
}

const usual: Omit<SplashRecord, 'name'> = {
  title: null,
  message: null,
  product: null,
  avatar: null,
  banner: null,
  counter: 10,
};
const addressFields = ['product', 'avatar', 'banner'] as const;

/** Custom splash pages: what visitors see before a link's destination (decisions, section 5). */
export function splashService(options: Options) {
  const { queries, references, pictures, now, transactions, onChange } = options;

  function get(id: number, account: Account): SplashRow {
    const row = queries.find(id, account.user.id);
    if (!row) throw notFound('Splash page');
    return row;
  }

  /** The fields that were sent, in stored form; an empty text is none. Throws 400. */
  async function readFields(body: SplashChange, userId: number): Promise<Partial<SplashRecord>> {
    const fields: Partial<SplashRecord> = {};
    if (body.name !== undefined) fields.name = body.name;
    if (body.title !== undefined) fields.title = body.title || null;
    if (body.message !== undefined) fields.message = body.message || null;
    if (body.counter !== undefined) fields.counter = body.counter;
    for (const field of addressFields) {
      const text = body[field];
      if (text !== undefined) fields[field] = text ? references.readDestination(text, field) : null;
    }
    if (fields.avatar) await pictures.keep(userId, fields.avatar, 'avatar');
    if (fields.banner) await pictures.keep(userId, fields.banner, 'banner');
    return fields;
  }

  return {
    get,

    list: (account: Account, page: { limit: number; offset: number }): Page<SplashRow> =>
      queries.list(account.user.id, page),

    async add(account: Account, body: NewSplash): Promise<SplashRow> {
      const userId = account.user.id;
      checkPlan(account, queries.count(userId));
      const record = { ...usual, ...(await readFields(body, userId)), name: body.name };
      const id = queries.insert(userId, record, now());
      onChange(userId, 'splash', [id]);
      return get(id, account);
    },

    async update(id: number, account: Account, body: SplashChange): Promise<SplashRow> {
      const userId = account.user.id;
      checkPlan(account);
      get(id, account);
      const fields = await readFields(body, userId);
      // A picture may have taken a while: what else was changed meanwhile stays changed.
      queries.update(id, { ...get(id, account), ...fields });
      pictures.sweep(userId);
      onChange(userId, 'splash', [id]);
      return get(id, account);
    },

    /** Its links lead straight to their destinations then. */
    remove(id: number, account: Account): void {
      get(id, account);
      const userId = account.user.id;
      transactions.atomically(() => {
        queries.remove(id, userId);
        pictures.sweep(userId);
      });
      onChange(userId, 'splash', [id]);
      onChange(userId, 'links', []);
    },
  };
}

export type SplashService = ReturnType<typeof splashService>;

/** 403 `plan_required` on a plan without splash pages, or whose number of them is reached. */
function checkPlan({ plan }: Account, count?: number): void {
  const { enabled = false, count: most = -1 } = plan.features.splash ?? {};
  if (!enabled || (count !== undefined && most >= 0 && count >= most)) throw planRequired('splash');
}
