/** How long deleted records, links and teams can be restored (decision 0013). Milliseconds. */
export const trashMs = 30 * 86_400_000;
