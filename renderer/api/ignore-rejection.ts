/**
 * Starts fetching again and waits for nothing. A failure stands in the query itself, where its page shows it; without
 * this it would come up a second time, as an unhandled rejection.
 */
export function ignoreRejection(work: Promise<unknown>): void {
  work.catch(() => {
    // Told by the query.
  });
}
