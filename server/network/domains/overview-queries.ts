import { usableCondition } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** What a user has on a domain. */
export interface DomainUseRow {
  host: string;
  links: number;
  files: number;
  bios: number;
  campaigns: number;
  disabled: 0 | 1;
  certificate_expires_at: number | null;
  lapses_at: number | null;
  proof_failure_count: number;
  dns_type: string;
}

const countOf = (table: string, condition = '') =>
  `(SELECT count(*) FROM ${table} WHERE domain_id = domains.id AND user_id = @user ${condition})`;

/** SQL of what lies on domains; the order and the pages are those of the list of domains. */
export function domainOverviewQueries(database: Connection) {
  const columns = `host, disabled, certificate_expires_at, lapses_at, proof_failure_count, dns_type,
    ${countOf('links', 'AND trashed_at IS NULL')} AS links, ${countOf('files')} AS files,
    ${countOf('bio_pages')} AS bios, ${countOf('campaigns')} AS campaigns`;
  const list = database.prepare<[Record<string, unknown>], DomainUseRow>(
    `SELECT ${columns} FROM domains WHERE ${usableCondition}
     ORDER BY user_id IS NULL, id DESC LIMIT @limit OFFSET @offset`,
  );
  return {
    list: (user: number, now: number, page: { limit: number; offset: number }): DomainUseRow[] =>
      list.all({ user, now, ...page }),
  };
}

export type DomainOverviewQueries = ReturnType<typeof domainOverviewQueries>;
