import type { Step } from '../../platform/jobs/slices.ts';
import type { RetentionQueries } from './retention-queries.ts';

/** Rows per statement. */
const rowsPerStep = 50;

type Queries = Pick<
  RetentionQueries,
  'nextDeletedLink' | 'removeClicksOf' | 'removeMetricsOf' | 'removeVisitorsOf' | 'forgetDeletedLink'
>;

/**
 * Deletes metrics of permanently deleted links, some rows per step. A trigger records these links, whatever deleted
 * them; their clicks are invisible from that moment on.
 */
export function removalOfDeletedLinks(queries: Queries): Step {
  return () => {
    const link = queries.nextDeletedLink();
    if (link === undefined) return false;
    const removed =
      queries.removeClicksOf(link, rowsPerStep) ||
      queries.removeMetricsOf('link', link, rowsPerStep) ||
      queries.removeVisitorsOf(link, rowsPerStep);
    if (removed === 0) queries.forgetDeletedLink(link);
    return true;
  };
}
