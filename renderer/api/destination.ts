/** An instance, and the team there; without one the person's own account. */
export interface Destination {
  readonly instanceId: string;
  readonly account?: number | undefined;
}
