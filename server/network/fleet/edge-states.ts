import type { FleetEdge } from '../../contract/fleet.ts';
import { dayMs } from '../../visits/clicks/dimensions.ts';
import type { HeardReport } from './edges.ts';
import type { EdgeRow } from './queries.ts';

/** The clock difference that is reported. */
const mostClockMs = 5 * 60_000;

/** Whether a reported problem keeps an edge from being up to date; data that it cannot send only waits there. */
export function isBehindFor({ problem, reason }: HeardReport): boolean {
  return problem !== null && reason !== 'clicks_full' && reason !== 'no_room';
}

/** What stands beside an edge that is not as it should be, in a sentence and for programs. */
type Problem = Pick<FleetEdge, 'problem' | 'reason' | 'detail'>;

/** Messages in the name of an edge that were left out, and when the last of them came. */
export interface Unreadable {
  count: number;
  at: number;
}

/** The most important problem of an edge: its own report, its clock, then messages in its name. */
export function problemOf(
  heard: HeardReport | undefined,
  unreadable: Unreadable | undefined,
  now: number,
): Problem {
  if (heard && heard.problem !== null) {
    return { problem: heard.problem, reason: heard.reason ?? null, detail: null };
  }
  return (
    clockProblem(heard) ?? unreadableProblem(unreadable, now) ?? { problem: null, reason: null, detail: null }
  );
}

/** With a wrong clock, an edge's counts, and the times of its links, are wrong. */
function clockProblem(heard: HeardReport | undefined): Problem | undefined {
  if (heard?.at === undefined || Math.abs(heard.heardAt - heard.at) < mostClockMs) return undefined;
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

/**
 * An edge encrypts what it sends: a message that cannot be decrypted was damaged, or comes from somebody who only has
 * its credentials.
 */
function unreadableProblem(found: Unreadable | undefined, now: number): Problem | undefined {
  if (!found || now - found.at > dayMs) return undefined;
  return {
    problem: `Unreadable messages in the name of this edge were ignored: ${found.count}. If more arrive, somebody else may use its credentials: revoke the edge and add it again.`,
    reason: 'unreadable',
    detail: String(found.count),
  };
}

/** How an edge is, as its administrators see it. */
export function stateOf(row: EdgeRow, isHere: boolean, isCurrent: boolean): FleetEdge['state'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.installation === null) return 'waiting';
  if (!isHere) return 'away';
  return isCurrent ? 'current' : 'behind';
}
