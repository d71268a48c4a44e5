/** Truncates a text to a number of UTF-16 units without splitting a character. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/\p{Cs}$/u, '');
}

/** Untrusted text as a single line: control characters such as line breaks become spaces. */
export function oneLine(text: string, most: number): string {
  return cut(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), most).trimEnd();
}
