/** An instance and a team on it; without a team, the user's personal account. */
export interface Destination {
  readonly instanceId: string;
  readonly account?: number | undefined;
}
