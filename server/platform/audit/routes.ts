import { type AuditEntry, listAudit, listAuditPeople } from '../../contract/audit.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import type { AuthoredResource } from '../../contract/roles.ts';
import { scopeMissing } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { readScopes } from '../http/scopes.ts';
import { type Route, route } from '../http/serve.ts';
import { presentTimestamp } from '../http/timestamps.ts';
import type { AuditLists } from './list-queries.ts';
import type { AuditRow } from './queries.ts';
import { isRecordAction, recordVerbs } from './record-activity.ts';

interface Options {
  lists: AuditLists;
}

/** The audit log: a user's own entries, or everyone's for an administrator. */
export function auditRoutes({ lists }: Options): Route[] {
  return [
    route(listAudit, async ({ caller, query }) => {
      const isWhole = readScopes(caller.key.scopes) === 'full';
      const view = query.view ?? (query.kind === undefined ? 'security' : 'records');
      if (view !== 'security' && !isWhole) throw scopeMissing('full');
      const filter = {
        userId: scopeOf(caller, query.show),
        // Members who see only their own records see only their own actions, and none of their other accounts.
        actorId: caller.ownOnly ? caller.person.user.id : idOf(query.person),
        view,
        actions: actionsOf(view, query),
        record: idOf(query.record),
        kind: query.kind ?? null,
      };
      const page = await lists.list(filter, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('audit', page, query, (row) => presentEntry(row, caller.user.timezone));
    }),
    route(listAuditPeople, async ({ caller, query }) => {
      const { id, username } = caller.person.user;
      return { data: caller.ownOnly ? [{ id, username }] : await lists.people(scopeOf(caller, query.show)) };
    }),
  ];
}

/** Whose entries are shown; null for everyone's. */
function scopeOf({ user }: Caller, show: 'own' | 'all' | undefined): number | null {
  return user.admin === 1 && show !== 'own' ? null : user.id;
}

/** The requested actions, empty if the view has none of them; null for all of the view. */
function actionsOf(
  view: 'security' | 'records' | 'all',
  { action, kind }: Pick<QueryOf<typeof listAudit>, 'action' | 'kind'>,
): string[] | null {
  const ofKind =
    kind === undefined || view === 'security' ? [] : recordVerbs.map((verb) => `${kind}.${verb}`);
  if (action === undefined) return kind === undefined ? null : ofKind;
  const isShown =
    kind === undefined
      ? view === 'all' || isRecordAction(action) === (view === 'records')
      : ofKind.includes(action);
  return isShown ? [action] : [];
}

const idOf = (given: number | string | undefined) => (given === undefined ? null : Number(given));

function presentEntry(row: AuditRow, timezone: string): AuditEntry {
  // Only the audit service writes these.
  const details = JSON.parse(row.details) as Record<string, unknown>;
  return {
    id: row.id,
    date: presentTimestamp(row.at, timezone),
    action: row.action,
    user: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
    actor: row.actor === '' ? null : { id: row.actor_id, username: row.actor },
    key: row.key_id === null ? null : { id: row.key_id, name: row.key_name },
    address: row.address,
    details,
    ...(row.kind !== null && {
      record: {
        kind: row.kind as AuthoredResource,
        id: row.record,
        title: (details.title as string | undefined) ?? null,
      },
    }),
  };
}
