/** The beginning of a text, of at most so many UTF-16 units and with no half of a character at its end. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/\p{Cs}$/u, '');
}

/** A text of somebody else as a line of ours: what is not a line, as a break or a bell, is a space. */
export function oneLine(text: string, most: number): string {
  return cut(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), most).trimEnd();
}
