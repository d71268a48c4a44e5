/** The header by which a session names the team that it acts for; none for the person's own account. */
export function accountHeader(account: number | undefined): Record<string, string> {
  return account === undefined ? {} : { 'x-waypost-account': String(account) };
}
