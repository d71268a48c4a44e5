/**
 * Starts a reload without waiting for it. Failures are part of the query's state, which its page displays; here they
 * would only be reported again as unhandled rejections.
 */
export function ignoreRejection(work: Promise<unknown>): void {
  work.catch(() => {
    // Part of the query's state.
  });
}
