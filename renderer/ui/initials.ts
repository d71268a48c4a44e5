/**
 * The first letters of a name's first two words, for a round picture of it; what is not a word, such as an "&", has
 * none.
 */
export function initialsOf(name: string): string {
  return name
    .split(/[\s._-]+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');
}
