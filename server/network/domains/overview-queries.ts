import { usableCondition } from '../../identity/plans/usable-domains.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage } from '../../platform/http/pagination.ts';

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
  `(SELECT count(*) FROM ${table} WHERE domain_id = domains.id AND user_id = @user ${condition}
    AND (@member IS NULL OR ifnull(created_by, user_id) = @member))`;

const columns = `host, disabled, certificate_expires_at, lapses_at, proof_failure_count, dns_type,
  ${countOf('links', 'AND (trashed_at IS NULL) = 1')} AS links, ${countOf('files')} AS files,
  ${countOf('bio_pages')} AS bios, ${countOf('campaigns')} AS campaigns`;
const listSql = `SELECT ${columns} FROM domains WHERE ${usableCondition}
  AND (@member IS NULL OR ifnull(domains.created_by, domains.user_id) = @member)
  ORDER BY user_id IS NULL, id DESC LIMIT @limit OFFSET @offset`;

/**
 * What uses a member's domains (for a member, their own records), read in the reader thread: a domain may have a
 * million links. In the order and pages of the list of domains.
 */
export function domainOverview(reader: Pick<Reader, 'read'>) {
  return {
    async list(user: number, now: number, page: ListPage): Promise<DomainUseRow[]> {
      const [rows = []] = await reader.read([{ sql: listSql, values: [{ user, now, ...page }] }]);
      return rows as unknown as DomainUseRow[];
    },
  };
}

export type DomainOverview = ReturnType<typeof domainOverview>;
