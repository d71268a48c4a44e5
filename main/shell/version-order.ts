const number = '(0|[1-9]\\d{0,8})';
const word = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)';
/**
 * Three numbers, after a hyphen the words of a pre-release, after a plus what it was built from (semver.org, 2.0.0).
 */
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${word}(?:\\.${word})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
);

/** Whether a text is the version of a program, as Semantic Versioning has them. */
export function isVersion(text: string): boolean {
  return form.test(text);
}

/** Whether a version comes before the release that has its numbers, such as 1.2.0-beta.2. */
export function isPreRelease(version: string): boolean {
  return partsOf(version).words.length > 0;
}

/**
 * Whether version `a` comes after `b` by the rules of Semantic Versioning, section 11. Throws for what is no version.
 */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  const byNumbers = firstDifference(left.numbers, right.numbers);
  if (byNumbers !== 0) return byNumbers > 0;
  // The release itself comes after all that went before it.
  if (left.words.length === 0 || right.words.length === 0) return right.words.length > left.words.length;
  return firstDifference(left.words, right.words) > 0;
}

/** Digits are compared as a number, and come before any word; words by their characters. */
type Part = bigint | string;

function partsOf(version: string): { numbers: Part[]; words: Part[] } {
  const found = form.exec(version);
  if (!found) throw new Error(`${version} is no version.`);
  const [, major = '', minor = '', patch = '', words] = found;
  return {
    numbers: [major, minor, patch].map(BigInt),
    words: words === undefined ? [] : words.split('.').map((one) => (/^\d+$/.test(one) ? BigInt(one) : one)),
  };
}

/** Below 0 where the left comes first, above 0 where it comes last. Of two that begin alike the longer comes last. */
function firstDifference(left: readonly Part[], right: readonly Part[]): number {
  for (const [place, a] of left.entries()) {
    const b = right[place];
    if (b === undefined) return 1;
    if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
    if (a !== b) return a < b ? -1 : 1;
  }
  return left.length - right.length;
}
