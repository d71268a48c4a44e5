/** A person whose role in a team has changed or ended: their open requests there are ended. */
export interface EndedMembership {
  accountId: number;
  personId: number;
}
