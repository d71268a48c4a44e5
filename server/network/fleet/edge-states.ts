import type { FleetEdge } from '../../contract/fleet.ts';
import type { HeardReport } from './edges.ts';
import type { EdgeRow } from './queries.ts';

/** The clock difference that is reported. */
const mostClockMs = 5 * 60_000;

/** Whether what an edge reports keeps it from being up to date; what it cannot send only waits there. */
export function isBehindFor({ problem, reason }: HeardReport): boolean {
  return problem !== null && reason !== 'clicks_full' && reason !== 'no_room';
}

/** With a wrong clock, an edge's counts, and the times of its links, are wrong. */
export function clockProblem(
  heard: HeardReport | undefined,
): Pick<FleetEdge, 'problem' | 'reason' | 'detail'> {
  if (heard?.at === undefined || Math.abs(heard.heardAt - heard.at) < mostClockMs) {
    return { problem: null, reason: null, detail: null };
  }
  const minutes = Math.round(Math.abs(heard.heardAt - heard.at) / 60_000);
  const by = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const isAhead = heard.at > heard.heardAt;
  const where = isAhead ? 'ahead of' : 'behind';
  return {
    problem: `The clock of this edge is ${by} ${where} that of the origin. Set the one that is wrong.`,
    reason: isAhead ? 'clock_ahead' : 'clock_behind',
    detail: String(minutes),
  };
}

/** How an edge is, as its administrators see it. */
export function stateOf(row: EdgeRow, isHere: boolean, isCurrent: boolean): FleetEdge['state'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.installation === null) return 'waiting';
  if (!isHere) return 'away';
  return isCurrent ? 'current' : 'behind';
}
