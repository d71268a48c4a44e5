import type { LinkCase, Simulation as PresentedSimulation } from '../../contract/simulator.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { storedRules } from '../../visits/redirects/stored-lists.ts';
import { presentRules } from '../links/rules.ts';
import { explainAnswer, explainCondition } from './explain.ts';
import type { CaseResult, Simulation } from './outcomes.ts';
import { type Explained, foundOf, isUnknownHere, reasonOf } from './reasons.ts';
import { presentVisitor } from './visitor.ts';

/** A simulated visit with every step; moments in the account's time zone. */
export function presentSimulation(simulation: Simulation, timezone: string): PresentedSimulation {
  const { found } = simulation;
  const context = explained(simulation, timezone);
  return {
    ...presentAnswer(simulation, timezone),
    steps: found.steps.map(({ rule, condition, matched }) => ({
      rule,
      condition:
        presentRules([{ conditions: [condition], link: '' }], timezone)[0]?.conditions[0] ?? condition,
      matched,
      why: explainCondition(condition, matched, context),
      found: foundOf(condition, context),
      unknown: isUnknownHere(condition, context),
    })),
  };
}

/** A link's answer without its steps. */
export function presentAnswer(simulation: Simulation, timezone: string) {
  const { row, found, outcome } = simulation;
  const rules = storedRules(row.rules);
  const reason = reasonOf(found, rules.length, explained(simulation, timezone));
  return { ...outcome, why: explainAnswer(reason, outcome.rule), reason };
}

export function presentCase(result: CaseResult, timezone: string, baseUrl: string): LinkCase {
  const { row, visitor, expected, simulation, passes } = result;
  return {
    id: row.id,
    urlid: row.link_id,
    shorturl: shortUrl(simulation.row, baseUrl),
    name: row.name,
    visitor: presentVisitor(visitor, timezone),
    expected,
    actual: presentAnswer(simulation, timezone),
    passes,
    date: presentTimestamp(row.created_at, timezone),
    version: row.version,
  };
}

function explained({ found, visitor }: Simulation, timezone: string): Explained {
  const { country, region, city, knowsCities } = found;
  return { visitor, country, region, city, knowsCities, timezone };
}
