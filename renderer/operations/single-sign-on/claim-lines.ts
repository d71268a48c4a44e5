import type { ProviderSettings } from '../../../server/contract/single-sign-on.ts';

type ClaimedPlans = ProviderSettings['plans'];
type ClaimedTeams = ProviderSettings['teams'];

/** What decides on the plan, a line for each value: `sales = 3`. */
export const linesOfPlans = (plans: ClaimedPlans): string[] =>
  plans.map(({ value, planid }) => `${value} = ${planid}`);

/** What decides on the teams, a line for each value: `developers = 12 editor`. */
export const linesOfTeams = (teams: ClaimedTeams): string[] =>
  teams.map(({ value, team, role }) => `${value} = ${team} ${role}`);

/** Reads such lines; undefined where one cannot be read. */
export function plansOf(lines: readonly string[]): ClaimedPlans | undefined {
  return readAll(lines, (line) => {
    const [, value, planid] = /^(.*\S)\s*=\s*([1-9]\d{0,14})$/.exec(line) ?? [];
    return value === undefined ? undefined : { value, planid: Number(planid) };
  });
}

/** Reads such lines; undefined where one cannot be read. */
export function teamsOf(lines: readonly string[]): ClaimedTeams | undefined {
  return readAll(lines, (line) => {
    const [, value, team, role] =
      /^(.*\S)\s*=\s*([1-9]\d{0,14})\s+(viewer|contributor|editor|admin)$/.exec(line) ?? [];
    // The pattern has no other roles.
    return value === undefined
      ? undefined
      : { value, team: Number(team), role: role as ClaimedTeams[number]['role'] };
  });
}

function readAll<Entry>(
  lines: readonly string[],
  read: (line: string) => Entry | undefined,
): Entry[] | undefined {
  const entries = lines.map(read);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
