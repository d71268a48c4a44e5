import type { ImportedRow, ImportRow } from './import.ts';

/**
 * Accumulates what the batches of a dry run would create: the server rolls back each batch, so the next request
 * includes the names so far.
 */
export function plannedSoFar() {
  let links = 0;
  const channels = new Set<string>();
  const campaigns = new Set<string>();
  const add = (names: Set<string>, more: readonly string[]) => {
    for (const name of more) names.add(name.toLowerCase());
  };
  return {
    /** The same for these rows: the names they contain are counted as well. */
    beside(rows: readonly ImportRow[]) {
      const own = new Set(rows.flatMap(({ tags }) => (tags ?? []).map((tag) => tag.toLowerCase())));
      const ownCampaigns = new Set(rows.map(({ campaign }) => campaign?.toLowerCase() ?? ''));
      return {
        links,
        channels: [...channels].filter((name) => !own.has(name)).length,
        campaigns: [...campaigns].filter((name) => !ownCampaigns.has(name)).length,
      };
    },
    note(
      rows: readonly ImportedRow[],
      made: { channels?: readonly string[]; campaigns?: readonly string[] },
    ): void {
      links += rows.filter(({ outcome }) => outcome === 'create' || outcome === 'rename').length;
      add(channels, made.channels ?? []);
      add(campaigns, made.campaigns ?? []);
    },
  };
}
