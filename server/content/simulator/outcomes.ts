import type { CaseExpectation, SimulationOutcome } from '../../contract/simulator.ts';
import { rejected } from '../../platform/errors.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import { safeDestination } from '../../visits/redirects/destinations.ts';
import type { Simulated, SimulatedVisit } from '../../visits/redirects/simulator.ts';
import type { LinkRow } from '../links/queries.ts';
import type { CaseRow } from './queries.ts';
import type { StoredVisitor } from './visitor.ts';

/** A link's result for a visitor, with what is needed to explain it. */
export interface Simulation {
  row: LinkRow;
  visitor: SimulatedVisit;
  found: Simulated;
  outcome: SimulationOutcome;
}

export interface CaseResult {
  row: CaseRow;
  visitor: StoredVisitor;
  expected: CaseExpectation;
  simulation: Simulation;
  passes: boolean;
}

export interface CaseChange {
  id: number;
  name: string;
  expected: CaseExpectation;
  before: SimulationOutcome;
  after: SimulationOutcome;
  passes: boolean;
}

const fields = ['link', 'rule', 'status'] as const;

/** The result of a visit, as clients see it. */
export function outcomeOf(row: LinkRow, { answer, status }: Simulated): SimulationOutcome {
  // The simulated visitor is not a fetcher of previews, so there are no cards.
  if (answer.kind === 'card') throw new Error('a simulated visitor got a card');
  const goesOn = answer.kind === 'redirect' || answer.kind === 'expired' || answer.kind === 'early';
  return {
    link: goesOn ? (answer.location ?? null) : null,
    rule: answer.kind === 'redirect' ? answer.rule : null,
    type: row.type,
    status,
    outcome: answer.kind,
  };
}

/**
 * The expectation of a case that sends none. Not the rule's index: reordering rules changes it, without any difference
 * for visitors.
 */
export function expectationOf({ outcome }: Simulation): CaseExpectation {
  return { link: outcome.link, status: outcome.status };
}

/** Throws 400 for an empty expectation, or a URL that no link can lead to. */
export function readExpectation(sent: CaseExpectation): CaseExpectation {
  if (namesOf(sent).length === 0) {
    throw rejected('required', 'expected', 'Send an expected link, rule or status.');
  }
  if (typeof sent.link !== 'string') return sent;
  const url = safeDestination(sent.link);
  if (!url) throw rejected('invalid_url', 'expected.link', 'Send an http or https URL, or null.');
  return { ...sent, link: url.href };
}

/** Whether everything that is expected has come true. */
export function isMet(expected: CaseExpectation, outcome: SimulationOutcome): boolean {
  return namesOf(expected).every((name) => expected[name] === outcome[name]);
}

/** The fields that a case says something about. */
export function namesOf(expected: CaseExpectation): (typeof fields)[number][] {
  return fields.filter((name) => expected[name] !== undefined);
}

export function readStored(row: CaseRow): { visitor: StoredVisitor; expected: CaseExpectation } {
  return { visitor: storedObject(row.visitor) ?? {}, expected: storedObject(row.expected) ?? {} };
}
