/** How many of its newest clicks a counted link lists. */
export const newestClicks = 5;

/** A link with newly counted clicks. */
export interface CountedLink {
  userId: number;
  linkId: number;
  /** How many clicks were counted, including bots. */
  count: number;
  /** The ids of the newest ones, oldest first. */
  newest: number[];
}
