import { composed } from '../../contract/composed.ts';
/**
 * The form used for uniqueness of names and for search: composed and case-folded (decision 0042). Letters that differ
 * only in case fold to the same, including those that expand: ß and ẞ to ss, ﬁ to fi, and every sigma to σ. The
 * dotless ı remains distinct from i. Folding is idempotent.
 */
export function caseFold(text: string): string {
  return composed(composed(text).split('ı').map(withoutCase).join('ı'));
}

/** Lower case first, because ẞ has no other capital letter and only becomes ss by way of ß. */
function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
