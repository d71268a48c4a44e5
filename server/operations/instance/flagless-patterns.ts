/**
 * The source of a pattern that means the same without its flags: both cases of letters are written out, and control
 * characters by their numbers. Undefined where that cannot be done, for patterns over the letters of all scripts: many
 * readers of JSON Schema know no `\p{…}`.
 */
export function flagless({ source, flags }: RegExp): string | undefined {
  const plain = source.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f');
  if (/\\[pP]\{/.test(plain)) return undefined;
  return flags.includes('i') ? inBothCases(plain) : plain;
}

/** Escapes and the heads of groups are kept, ranges of letters doubled, and single letters put into a class. */
function inBothCases(source: string): string {
  const tokens =
    /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|.)|\(\?(?:<?[=!]|:|<\w+>)|[a-z]-[a-z]|[A-Z]-[A-Z]|[[\]]|[A-Za-z]/g;
  let inClass = false;
  return source.replace(tokens, (token) => {
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    if (token.startsWith('\\') || token.startsWith('(')) return token;
    if (token.length > 1) return inClass ? token.toLowerCase() + token.toUpperCase() : token;
    const both = token.toLowerCase() + token.toUpperCase();
    return inClass ? both : `[${both}]`;
  });
}
