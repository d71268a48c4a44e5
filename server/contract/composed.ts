/**
 * Maximum run of combining marks. Real text has fewer, as does any text in stream-safe format (Unicode Standard Annex
 * 15, section 13).
 */
const mostMarks = 30;
/** The range of code points that contains all combining marks with a nonzero combining class. */
const firstMark = 0x300;
const lastMark = 0x1_ffff;

/** Cached classification of code points: unknown, mark or not a mark. */
const kinds = new Uint8Array(lastMark + 1);
const mark = 1;
const noMark = 2;

/**
 * Normalizes a text to NFC. Reordering the marks of one letter takes quadratic time (a minute for 1 MB of them), so a
 * text with a longer run than real text has is returned unchanged (T-27).
 */
export function composed(text: string): string {
  return stacksMarks(text) ? text : text.normalize('NFC');
}

/**
 * Whether a text has an unrealistically long run of combining marks. A regular expression would take ten times as long
 * on long texts.
 */
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
