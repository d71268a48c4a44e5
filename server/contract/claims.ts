import type { ProviderSettings } from './single-sign-on.ts';

type Plans = ProviderSettings['plans'];
type Teams = ProviderSettings['teams'];

/** The plan of a user with these claim values: the first matching row wins. */
export function planByClaim(values: readonly string[], rows: Plans): number | undefined {
  return rows.find(({ value }) => values.includes(value))?.planid;
}

/**
 * A user's role in each team named in the rows, given these claim values: the first matching row of a team wins;
 * undefined means not a member.
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
