/** The maximum nesting of a body. */
const maxDepth = 32;
/** The maximum number of values and keys: an import of 200 rows with all their tags has 25,000. */
const maxValues = 50_000;
/** The maximum number of keys of one object; none of ours has a hundred. */
const maxKeys = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

interface Bounds {
  depth: number;
  values: number;
  /** Of one object: 24,000 of one take twice as long to parse and look at as 24,000 of many. */
  keys: number;
}

/**
 * Checks the bytes of a JSON text as they arrive, with the limits of a request by default. The returned function
 * reports what is wrong with the structure so far, or undefined. Whether the text is valid JSON is up to the parser.
 */
export function shapeCheck(
  most: Bounds = { depth: maxDepth, values: maxValues, keys: maxKeys },
): (chunk: Buffer) => string | undefined {
  let depth = 0;
  let values = 0;
  /** Keys of the objects and lists that are open, the outermost first. */
  const keys: number[] = [];
  let isInText = false;
  let isEscaped = false;
  return (chunk) => {
    // Bytes of non-ASCII characters are all above 0x7f, so none of them looks like one of these.
    for (const byte of chunk) {
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) {
        isInText = true;
      } else if (byte === comma) {
        values += 1;
      } else if (byte === colon) {
        values += 1;
        const ofObject = (keys[depth] ?? 0) + 1;
        if (ofObject > most.keys) return 'An object in the body has too many keys.';
        keys[depth] = ofObject;
      } else if (byte === openBracket || byte === openBrace) {
        depth += 1;
        values += 1;
        keys[depth] = 0;
        if (depth > most.depth) return 'The body is nested too deeply.';
      } else if (byte === closeBracket || byte === closeBrace) {
        // Text with too many of these is no JSON, which the parser finds out.
        depth = Math.max(0, depth - 1);
      }
      if (values > most.values) return 'The body has too many values. Send it in several requests.';
    }
    return undefined;
  };
}
