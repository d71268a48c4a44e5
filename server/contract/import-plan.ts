import type { ImportedRow, ImportRow } from './import.ts';

/**
 * What the slices of a dry run would make together: the server rolls each of them back, and is told with the next one.
 */
export function plannedSoFar() {
  let links = 0;
  const channels = new Set<string>();
  const campaigns = new Set<string>();
  const add = (names: Set<string>, more: readonly string[]) => {
    for (const name of more) names.add(name.toLowerCase());
  };
  return {
    /** The same beside rows: the names that these bring along are counted with them. */
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
