/** The header by which a session selects a team's account; none for the user's own account. */
export function accountHeader(account: number | undefined): Record<string, string> {
  return account === undefined ? {} : { 'x-waypost-account': String(account) };
}
