import type { QueryOf } from '../../contract/endpoint.ts';
import {
  deleteUnmatchedVisits,
  listUnmatchedVisits,
  type UnmatchedVisit,
} from '../../contract/unmatched-visits.ts';
import { unavailable } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { readDays } from '../../visits/stats/periods.ts';
import { canBeAlias } from '../links/aliases.ts';
import type { LinkReferences } from '../links/references.ts';
import type { UnmatchedFilter, UnmatchedRow, unmatchedLists, unmatchedQueries } from './queries.ts';

interface Options {
  lists: ReturnType<typeof unmatchedLists>;
  queries: ReturnType<typeof unmatchedQueries>;
  domainOf: LinkReferences['domainOf'];
  slices: Pick<Slices, 'run'>;
  now: () => number;
}

/** Rows examined per step of a deletion. */
const rowsPerStep = 250;

/**
 * Visits that reached no link, for the owners of their domains; those of the instance's own host are for
 * administrators.
 */
export function unmatchedRoutes({ lists, queries, domainOf, slices, now }: Options): Route[] {
  function filterOf(caller: Caller, query: QueryOf<typeof deleteUnmatchedVisits>): UnmatchedFilter {
    const { user, person, ownOnly } = caller;
    const { kind = null, path = null, domain } = query;
    return {
      user: user.id,
      member: ownOnly ? person.user.id : null,
      // A team can have domains, but never the instance's own host.
      instance: person.user.admin === 1 && person.user.id === user.id ? 1 : 0,
      kind,
      domain: domain === undefined ? null : domain === 'own' ? 0 : (domainOf(domain, user.id) ?? 0),
      path,
      ...readDays(query, { now: now(), timezone: user.timezone }),
    };
  }

  return [
    route(listUnmatchedVisits, async ({ caller, query }) => {
      const { limit } = query;
      const page = await lists.list(filterOf(caller, query), query.group, { limit, offset: offsetOf(query) });
      return pageReply('visits', page, query, (row) => presentVisit(row, caller.user.timezone));
    }),
    route(deleteUnmatchedVisits, async ({ caller, query, checkStillAllowed }) => {
      const filter = filterOf(caller, query);
      const ids = queries.range();
      let { after } = ids;
      let deleted = 0;
      const isOver = await slices.run(() => {
        checkStillAllowed();
        const until = Math.min(after + rowsPerStep, ids.until);
        deleted += queries.remove(filter, { after, until });
        after = until;
        return after < ids.until;
      });
      if (!isOver) throw unavailable('The server is stopping. Delete the rest after its next start.');
      return { message: deleted === 1 ? '1 visit was deleted.' : `${deleted} visits were deleted.`, deleted };
    }),
  ];
}

function presentVisit(row: UnmatchedRow, timezone: string): UnmatchedVisit {
  const alias = row.path.slice(1);
  return {
    id: row.id,
    path: row.path,
    domain: row.host === null ? null : `https://${row.host}`,
    kind: row.kind,
    alias: canBeAlias(alias) ? alias : null,
    taken: row.taken === 1,
    visits: row.visits,
    bots: row.bots,
    referrer: row.referrer,
    first: presentTimestamp(row.first_at, timezone),
    date: presentTimestamp(row.at, timezone),
  };
}
