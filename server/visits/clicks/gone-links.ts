import type { Step } from '../../platform/jobs/slices.ts';
import type { RetentionQueries } from './retention-queries.ts';

/** Rows of one statement. */
const rowsPerStep = 50;

type Queries = Pick<
  RetentionQueries,
  'nextGoneLink' | 'removeClicksOf' | 'removeMetricsOf' | 'removeVisitorsOf' | 'forgetGoneLink'
>;

/**
 * Removes what was counted for links that are gone for good, some rows a step. A trigger writes down which links those
 * are, whatever removed them; nobody sees their clicks from that moment on.
 */
export function removalOfGoneLinks(queries: Queries): Step {
  return () => {
    const link = queries.nextGoneLink();
    if (link === undefined) return false;
    const removed =
      queries.removeClicksOf(link, rowsPerStep) ||
      queries.removeMetricsOf('link', link, rowsPerStep) ||
      queries.removeVisitorsOf(link, rowsPerStep);
    if (removed === 0) queries.forgetGoneLink(link);
    return true;
  };
}
