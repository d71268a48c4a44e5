import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { LinkRecord, LinkRow } from './queries.ts';

/** Who would have which alias after changes of links that are not written. */
export interface PlannedAliases {
  /** Records a link's new state; false, without effect, if its alias is taken by then. */
  plan(row: LinkRow, record: LinkRecord): boolean;
}

/** Answers like `LinkHistory.store` would, without writing: for dry runs, and before a long change is begun. */
export function plannedAliases(aliases: Pick<AliasQueries, 'holderOf'>): PlannedAliases {
  /** Address → the link that would have it, null for none. */
  const planned = new Map<string, number | null>();

  function holderOf(domainId: number | null, alias: string): number | 'another kind' | null {
    const link = planned.get(addressOf(domainId, alias));
    if (link !== undefined) return link;
    const holder = aliases.holderOf(domainId, alias);
    if (!holder) return null;
    return holder.kind === 'link' ? holder.target_id : 'another kind';
  }

  return {
    plan(row, record) {
      const moved = record.alias !== row.alias || record.domain_id !== row.domain_id;
      if (record.trashed_at === null && (moved || row.trashed_at !== null)) {
        const holder = holderOf(record.domain_id, record.alias);
        if (holder !== null && holder !== row.id) return false;
        planned.set(addressOf(record.domain_id, record.alias), row.id);
      }
      if (row.trashed_at === null && (moved || record.trashed_at !== null)) {
        planned.set(addressOf(row.domain_id, row.alias), null);
      }
      return true;
    },
  };
}

function addressOf(domainId: number | null, alias: string): string {
  // No alias has a slash in it.
  return `${domainId ?? 0}/${alias}`;
}
