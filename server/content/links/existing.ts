import type { NewLink } from '../../contract/links.ts';
import { powers, reaches } from '../../contract/roles.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { roleTooLow } from '../../platform/http/member-check.ts';
import { readAlias } from './aliases.ts';
import { sameDestination } from './destination.ts';
import type { LinkQueries, LinkRow } from './queries.ts';
import type { LinkReferences } from './references.ts';
import { defaultsOf } from './service.ts';

interface Options {
  queries: Pick<LinkQueries, 'findByAlias' | 'findByDestination'>;
  references: Pick<LinkReferences, 'of'>;
}

/**
 * Finds an existing link that a new one would duplicate: by its alias if given, else by its destination, on the same
 * domain (decision 0078). People who see only their own records find only those.
 */
export function existingLinks({ queries, references }: Options) {
  return (caller: Caller, { url, custom, domain, utm }: NewLink): LinkRow | undefined => {
    const { user } = caller;
    const known = references.of(caller);
    const wanted = domain === undefined ? defaultsOf(caller).domain_id : domain ? known.domain(domain) : null;
    if (custom) {
      const row = queries.findByAlias(
        user.id,
        wanted ?? 0,
        readAlias(custom, 'custom', known.allowsSlashes(wanted)),
      );
      return row && (!caller.ownOnly || isOwn(row, caller)) ? row : undefined;
    }
    const plain = known.destination(url, 'url');
    const destination = sameDestination(utm ? known.utm(utm, 'utm')(plain) : plain);
    return queries.findByDestination({
      userId: user.id,
      url: destination,
      domainId: wanted,
      ...(caller.ownOnly && { creator: caller.person.user.id }),
      isSame: (stored) => sameDestination(stored) === destination,
    });
  };
}

/** Throws 403 if a member may not edit a link of the account. */
export function checkMayEdit(row: LinkRow, caller: Caller): void {
  if (!reaches(powers[caller.role].edit, () => isOwn(row, caller))) throw roleTooLow();
}

function isOwn(row: LinkRow, { person }: Caller): boolean {
  return (row.created_by ?? row.user_id) === person.user.id;
}
