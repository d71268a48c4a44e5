/** A link whose new clicks have just been counted. */
export interface CountedLink {
  userId: number;
  linkId: number;
  /** Ids of its clicks in this slice, oldest first, bots included. */
  clickIds: number[];
}
