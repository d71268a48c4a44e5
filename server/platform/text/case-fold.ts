import { composed } from '../../contract/composed.ts';
/**
 * What uniqueness of names and search look at: composed and without case (decision 0042). Letters that only
 * differ in case fold to the same, also where one of them is written with several: ß and ẞ to ss, ﬁ to fi, and every
 * sigma to σ. The dotless ı stays apart from i. Folding twice changes nothing more.
 */
export function caseFold(text: string): string {
  return composed(composed(text).split('ı').map(withoutCase).join('ı'));
}

/** First to lower case, because ẞ has no other capital letter and becomes ss only by way of ß. */
function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
