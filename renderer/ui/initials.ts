/**
 * The initials of a name's first two words, for an avatar; words that do not start with a letter or digit, such as "&",
 * are skipped.
 */
export function initialsOf(name: string): string {
  return name
    .split(/[\s._-]+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');
}
