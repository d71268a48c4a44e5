import type { Step } from '../../platform/jobs/slices.ts';
import type { RetentionQueries } from './retention-queries.ts';

/** Rows per statement. */
const rowsPerStep = 50;

type Queries = Pick<
  RetentionQueries,
  'nextGoneLink' | 'removeClicksOf' | 'removeMetricsOf' | 'removeVisitorsOf' | 'forgetGoneLink'
>;

/**
 * Deletes metrics of permanently deleted links, some rows per step. A trigger records these links, whatever deleted
 * them; their clicks are invisible from that moment on.
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
