/** How many of its newest clicks a counted link names. */
export const newestClicks = 5;

/** A link whose new clicks have just been counted. */
export interface CountedLink {
  userId: number;
  linkId: number;
  /** How many clicks were counted, bots included. */
  count: number;
  /** The ids of the newest of them, oldest first. */
  newest: number[];
}
