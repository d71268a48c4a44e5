import { type AuditEntry, listAudit } from '../../contract/audit.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { type Route, route } from '../http/serve.ts';
import { presentTimestamp } from '../http/timestamps.ts';
import type { AuditLists, AuditRow } from './queries.ts';

interface Options {
  lists: AuditLists;
}

/** The audit log: one's own entries, or everybody's for an administrator. */
export function auditRoutes({ lists }: Options): Route[] {
  return [
    route(listAudit, async ({ caller, query }) => {
      const everybody = caller.user.admin === 1 && query.show !== 'own';
      // Somebody who sees only what they created sees what they did themselves, and no other accounts of theirs.
      const filter = {
        userId: everybody ? null : caller.user.id,
        actorId: caller.ownOnly ? caller.person.user.id : null,
        action: query.action ?? null,
      };
      const page = await lists.list(filter, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('audit', page, query, (row) => presentEntry(row, caller.user.timezone));
    }),
  ];
}

function presentEntry(row: AuditRow, timezone: string): AuditEntry {
  return {
    id: row.id,
    date: presentTimestamp(row.at, timezone),
    action: row.action,
    user: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
    actor: row.actor === '' ? null : { id: row.actor_id, username: row.actor },
    key: row.key_id === null ? null : { id: row.key_id, name: row.key_name },
    address: row.address,
    // Written by the audit service only.
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
