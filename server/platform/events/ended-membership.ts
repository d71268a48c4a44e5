/** A person who is no longer what they were in a team: what they keep open there ends. */
export interface EndedMembership {
  accountId: number;
  personId: number;
}
