import type { ProviderSettings } from './single-sign-on.ts';

type Plans = ProviderSettings['plans'];
type Teams = ProviderSettings['teams'];

/** The plan that somebody with these values of the claim gets: the first row that matches wins. */
export function planByClaim(values: readonly string[], rows: Plans): number | undefined {
  return rows.find(({ value }) => values.includes(value))?.planid;
}

/**
 * What somebody with these values of the claim is in each team that the rows name: the first row of a team that matches
 * wins, and undefined is not a member.
 */
export function rolesByClaim(
  values: readonly string[],
  rows: Teams,
): Map<number, Teams[number]['role'] | undefined> {
  const roles = new Map<number, Teams[number]['role'] | undefined>();
  for (const { value, team, role } of rows) {
    roles.set(team, roles.get(team) ?? (values.includes(value) ? role : undefined));
  }
  return roles;
}
