import type { StatsPageChange } from '../../contract/stats-pages.ts';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, planRequired } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { locked } from '../links/history.ts';
import type { StatsPageQueries, StatsPageRow, StatsPageSubject, SubjectRow } from './queries.ts';

interface Options {
  queries: StatsPageQueries;
  passwords: Pick<Passwords, 'hash'>;
  transactions: Pick<Transactions, 'atomically'>;
  randomBytes: (size: number) => Buffer;
}

/** A link or campaign with its page; there is none until it is first turned on. */
export interface SubjectWithPage extends SubjectRow {
  page: StatsPageRow | undefined;
}

/** The switches of public statistics pages (decision 0089). */
export function statsPageService({ queries, passwords, transactions, randomBytes }: Options) {
  /** Unguessable: a page can only be found by its URL. */
  const newToken = () => randomBytes(16).toString('base64url');

  /** Throws 404 for records of other accounts. */
  function get(subject: StatsPageSubject, { user }: Account): SubjectWithPage {
    const row = queries.findSubject(subject, user.id);
    if (!row) throw notFound(subject.kind === 'link' ? 'Link' : 'Campaign');
    return { ...row, page: queries.find(subject) };
  }

  function checked(subject: StatsPageSubject, account: Account): StatsPageRow {
    const { page, locked: isLocked } = get(subject, account);
    if (isLocked === 1) throw locked();
    return page ?? { token: newToken(), enabled: 0, password_hash: null, referrers: 0 };
  }

  return {
    get,

    /** Changes a page, and calls `written` in the same transaction. Throws 403 for a plan without passwords. */
    async update(
      subject: StatsPageSubject,
      account: Account,
      change: StatsPageChange,
      written: (now: SubjectWithPage) => void,
    ): Promise<SubjectWithPage> {
      const { password } = change;
      if (password && !account.plan.permissions.password) throw planRequired('password');
      checked(subject, account);
      const hash = password ? await passwords.hash(password, accountParty(account.user.id)) : null;
      transactions.atomically(() => {
        // Again: hashing took a while.
        const before = checked(subject, account);
        const page: StatsPageRow = {
          token: change.newaddress ? newToken() : before.token,
          enabled: change.on === undefined ? before.enabled : change.on ? 1 : 0,
          password_hash: password === undefined ? before.password_hash : hash,
          referrers: change.referrers === undefined ? before.referrers : change.referrers ? 1 : 0,
        };
        queries.store(subject, account.user.id, page);
        written(get(subject, account));
      });
      return get(subject, account);
    },
  };
}

export type StatsPageService = ReturnType<typeof statsPageService>;
