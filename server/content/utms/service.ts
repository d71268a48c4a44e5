import { readUtm, utmFields, writeUtm } from '../../contract/utm-address.ts';
import type { UtmValues } from '../../contract/utms.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, planRequired, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Page } from '../../platform/http/pagination.ts';
import type { UtmQueries, UtmRow } from './queries.ts';

interface Options {
  queries: UtmQueries;
  lists: { list(userId: number, page: { limit: number; offset: number }): Promise<Page<UtmRow>> };
  transactions: Pick<Transactions, 'atomically'>;
  now: () => number;
}

type Change = { [Name in keyof UtmValues]?: string | null | undefined } & { name?: string | undefined };

const empty: UtmValues = { source: null, medium: null, campaign: null, term: null, content: null };

/** Named UTM templates of an account (decision 0082). */
export function utmService({ queries, lists, transactions, now }: Options) {
  function get(id: number, { user }: Account): UtmRow {
    const row = queries.find(id, user.id);
    if (!row) throw notFound('UTM template');
    return row;
  }

  function checkPlan({ plan }: Account): void {
    if (!plan.permissions.utmtemplates) throw planRequired('utmtemplates');
  }

  /** Merges the sent fields into the stored ones; an empty text removes a value. Throws 400 if none would be left. */
  function changed<Row extends UtmValues>(row: Row, change: Change): Row {
    const values = utmFields.map((field) => [
      field,
      change[field] === undefined ? row[field] : change[field] || null,
    ]);
    const next = { ...row, ...Object.fromEntries(values) };
    if (utmFields.every((field) => next[field] === null)) {
      throw rejected('required', 'source', 'Enter at least one value.');
    }
    return next;
  }

  function checkName(name: string, userId: number, own?: number): void {
    const holder = queries.findByName(name, userId);
    if (holder && holder.id !== own)
      throw rejected('name_taken', 'name', 'There is a template with this name. Choose another one.');
  }

  return {
    get,
    list: ({ user }: Account, page: { limit: number; offset: number }): Promise<Page<UtmRow>> =>
      lists.list(user.id, page),
    add(account: Account, { name, ...values }: Change & { name: string }): number {
      checkPlan(account);
      const { id: userId } = account.user;
      const row = { name, ...changed(empty, values) };
      return transactions.atomically(() => {
        checkCeiling('utmTemplates', queries.count(userId));
        checkName(name, userId);
        return queries.insert(userId, row, now());
      });
    },
    update(id: number, account: Account, change: Change): void {
      checkPlan(account);
      transactions.atomically(() => {
        const row = get(id, account);
        const name = change.name ?? row.name;
        checkName(name, account.user.id, id);
        queries.update({ ...changed(row, change), name });
      });
    },
    remove(id: number, account: Account): void {
      transactions.atomically(() => queries.remove(get(id, account).id));
    },
  };
}

export type UtmService = ReturnType<typeof utmService>;

/** Finds the template that an id or a name is, and writes it into a destination. Throws 400 `unknown_utm`. */
export function utmWriter(queries: Pick<UtmQueries, 'find' | 'findByName'>) {
  return (reference: number | string, userId: number, field: string): ((url: string) => string) => {
    const text = String(reference).trim();
    const byId = /^[1-9]\d{0,14}$/.test(text) ? queries.find(Number(text), userId) : undefined;
    const found = byId ?? queries.findByName(text, userId);
    if (!found) throw rejected('unknown_utm', field, 'You have no UTM template with this id or name.');
    return (url) => {
      const set = utmFields.flatMap((name) => (found[name] === null ? [] : [[name, found[name]]]));
      return new URL(writeUtm(url, { ...readUtm(url), ...Object.fromEntries(set) })).href;
    };
  };
}

export type UtmWriter = ReturnType<typeof utmWriter>;
