const number = '(0|[1-9]\\d{0,8})';
const word = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)';
/**
 * Semantic version (semver.org, 2.0.0): three numbers, optionally `-` with pre-release identifiers and `+` with build
 * metadata.
 */
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${word}(?:\\.${word})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
);

/** Whether a text is a valid semantic version. */
export function isVersion(text: string): boolean {
  return form.test(text);
}

/** Whether a version is a pre-release, such as 1.2.0-beta.2. */
export function isPreRelease(version: string): boolean {
  return partsOf(version).words.length > 0;
}

/** Whether version `a` is newer than `b` (Semantic Versioning, section 11). Throws for invalid versions. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  const byNumbers = firstDifference(left.numbers, right.numbers);
  if (byNumbers !== 0) return byNumbers > 0;
  // A release is newer than its pre-releases.
  if (left.words.length === 0 || right.words.length === 0) return right.words.length > left.words.length;
  return firstDifference(left.words, right.words) > 0;
}

/**
 * A pre-release identifier: numeric ones are compared as numbers and precede all others, which are compared as strings.
 */
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

/**
 * Negative if `left` sorts first, positive if it sorts last. If one is a prefix of the other, the longer one sorts
 * last.
 */
function firstDifference(left: readonly Part[], right: readonly Part[]): number {
  for (const [place, a] of left.entries()) {
    const b = right[place];
    if (b === undefined) return 1;
    if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
    if (a !== b) return a < b ? -1 : 1;
  }
  return left.length - right.length;
}
