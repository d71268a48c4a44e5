/**
 * Marks in a row; writing has fewer, and so has any text in the stream-safe form (Unicode Standard Annex 15, section
 * 13).
 */
const mostMarks = 30;
/** Below it there are no marks, and none above that have an order among each other. */
const firstMark = 0x300;
const lastMark = 0x1_ffff;

/** What was found out about each code point: nothing yet, that it is a mark, or that it is none. */
const kinds = new Uint8Array(lastMark + 1);
const mark = 1;
const noMark = 2;

/**
 * A text in Normalization Form C. Putting the marks of one letter in order takes time with the square of their number,
 * a minute for a megabyte of them, so a text with more in a row than any writing has stays as it is (T-27).
 */
export function composed(text: string): string {
  return stacksMarks(text) ? text : text.normalize('NFC');
}

/** Whether more marks follow each other than in any writing. A pattern would take ten times as long for a long text. */
export function stacksMarks(text: string): boolean {
  if (text.length <= mostMarks) return false;
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index += 1;
    run = isMark(point) ? run + 1 : 0;
    if (run > mostMarks) return true;
  }
  return false;
}

function isMark(point: number): boolean {
  if (point < firstMark || point > lastMark) return false;
  kinds[point] ||= /\p{M}/u.test(String.fromCodePoint(point)) ? mark : noMark;
  return kinds[point] === mark;
}
