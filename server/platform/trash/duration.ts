/** How long what was deleted can be restored: a record, a link, a team (decision 0013). Milliseconds. */
export const trashMs = 30 * 86_400_000;
