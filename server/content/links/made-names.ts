import { checkCeiling } from '../../identity/plans/ceilings.ts';

const kinds = ['channels', 'campaigns'] as const;
type Kind = (typeof kinds)[number];

/** How many of each a dry run assumes were created by rows that were sent before. */
export type MadeBefore = Readonly<Record<Kind, number>>;

/** What rows created, or would create, besides links. */
export interface MadeNames {
  /** By their folded form, with the first of their spellings. */
  readonly names: Readonly<Record<Kind, Map<string, string>>>;
  /** Throws 400 `too_many` if an account with `there` of them has reached the ceiling. */
  checkRoom(kind: Kind, folded: string, there: number): void;
  /** Adopts what a successful row created. */
  add(row: MadeNames): void;
  /** As the reply says them. */
  lists(): Record<Kind, string[]>;
}

/**
 * Tracks what one row creates. In a dry run, `planned` contains what its earlier rows would create: they are rolled
 * back, but count against the ceilings.
 */
export function madeNames(planned?: { made: MadeNames; before: MadeBefore }): MadeNames {
  const names: Record<Kind, Map<string, string>> = { channels: new Map(), campaigns: new Map() };

  return {
    names,

    checkRoom(kind: Kind, folded: string, there: number): void {
      const earlier = planned?.made.names[kind];
      if (earlier?.has(folded)) return;
      const again = [...names[kind].keys()].filter((name) => earlier?.has(name)).length;
      checkCeiling(kind, there + (planned?.before[kind] ?? 0) + (earlier?.size ?? 0) - again);
    },

    add(row: MadeNames): void {
      for (const kind of kinds) {
        for (const [folded, name] of row.names[kind])
          if (!names[kind].has(folded)) names[kind].set(folded, name);
      }
    },

    lists: () => ({
      channels: [...names.channels.values()],
      campaigns: [...names.campaigns.values()],
    }),
  };
}
