import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { turnCache } from '../../platform/concurrency/turn-cache.ts';
import {
  type CampaignQueries,
  type LinkAge,
  mostRotated,
  type RotatedRow,
  type RotatorRow,
} from './campaign-queries.ts';
import type { LinkLookup } from './link-lookup.ts';
import type { LinkRecord } from './link-record.ts';
import { whoseTurn } from './rotation.ts';

interface Options {
  queries: Pick<CampaignQueries, 'rotated'>;
  linkLookup: Pick<LinkLookup, 'findLink'>;
}

/** A link that a rotator sends a visit to. */
interface Chosen extends RotatedRow {
  link: LinkRecord;
}

/** The links whose turn it is in a rotator with more of them than are read for a visit. */
interface Batch {
  /** They follow the link of this age. */
  after: LinkAge;
  /** The rotator's position when their turn began. */
  since: number;
}

const oldest: Batch = { after: { created_at: Number.MIN_SAFE_INTEGER, id: 0 }, since: 0 };

/**
 * Chooses the links of rotators. Anyone can send visits to a campaign of any size, so each visit reads a bounded
 * number of links: those of a large campaign take turns in batches, oldest first. A batch ends after as many visits as
 * its weights add up to, so that each link still comes as often as its weight demands. After a restart the first batch
 * begins again.
 */
export function rotators({ queries, linkLookup }: Options) {
  const batches = boundedCache<number, Batch>(4096);
  /** Visits that arrive together share what is read: five hundred links take two milliseconds. */
  const shared = turnCache<RotatedRow[]>();

  function rotated(id: number, now: number, after: LinkAge): RotatedRow[] {
    return shared(`${id} ${after.created_at} ${after.id}`, () => queries.rotated(id, now, after));
  }

  function findLink({ domain_id, alias }: RotatedRow): LinkRecord | undefined {
    const link = linkLookup.findLink(domain_id, alias);
    return link?.destination ? link : undefined;
  }

  /** The links of the current batch, and how many visits it has had. */
  function batchOf(id: number, turns: number, now: number): { rows: RotatedRow[]; turn: number } {
    const remembered = batches.get(id);
    const batch = remembered && remembered.since <= turns ? remembered : oldest;
    const rows = rotated(id, now, batch.after);
    const isFirst = batch.after === oldest.after;
    const isLast = rows.length < mostRotated;
    const turn = turns - batch.since;
    const isOver = rows.length === 0 || turn >= rows.reduce((sum, { weight }) => sum + weight, 0);
    if (!isOver || (isFirst && isLast)) return { rows, turn };
    const after = isLast ? oldest.after : rows.reduce(newer);
    batches.set(id, { after, since: turns });
    const next = rotated(id, now, after);
    // What follows a full batch may be nothing.
    if (next.length > 0) return { rows: next, turn: 0 };
    batches.set(id, { after: oldest.after, since: turns });
    return { rows: rotated(id, now, oldest.after), turn: 0 };
  }

  return {
    /** The link for visit number `turns` of a campaign; undefined if it has none to send visits to. */
    choose(campaign: RotatorRow, turns: number, now: number): Chosen | undefined {
      const { rows, turn } = batchOf(campaign.id, turns, now);
      const first = pick(rows, turn);
      const link = first && findLink(first);
      if (link) return { ...first, link };
      // Only now are the others looked up: almost all links can be sent to browsers.
      const chosen = pick(rows.filter(findLink), turn);
      const other = chosen && findLink(chosen);
      return other && { ...chosen, link: other };
    },
  };
}

function pick(rows: readonly RotatedRow[], turn: number): RotatedRow | undefined {
  const weights = rows.map(({ weight }) => weight);
  return rows[whoseTurn(weights, turn)];
}

function newer<Aged extends LinkAge>(one: Aged, other: Aged): Aged {
  return (one.created_at - other.created_at || one.id - other.id) < 0 ? other : one;
}
