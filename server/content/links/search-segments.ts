/** A level of the search index: segments of about the same age, which are merged into one of the next level. */
export interface SegmentLevel {
  /** How many of its segments are being merged; the first ones. 0 if no merge is in progress. */
  merging: number;
  /** The number of pages of each segment. */
  pages: number[];
}

/** Marks the newer form of the record, which has five more numbers for each segment. */
const newerForm = 0xff000001;
const numbersOfNewerForm = 5;

/**
 * Reads which segments an index has from the record that FTS5 keeps of them (SQLite, fts5_index.c, "structure record"):
 * the youngest level first. Throws a `RangeError` if the record ends too early.
 */
export function readSegments(record: Buffer): SegmentLevel[] {
  let at = 4;
  // The record of an empty index has seven bytes.
  const isNewer = record.length >= 8 && record.readUInt32BE(at) === newerForm;
  if (isNewer) at += 4;

  /** A number of one to nine bytes, seven bits in each but the ninth; of a record's numbers none needs more than five. */
  function number(): number {
    let value = 0;
    for (;;) {
      const byte = record.readUInt8(at);
      at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }

  const levels = number();
  // The number of all segments, and how many pages were ever written.
  number();
  number();
  return Array.from({ length: levels }, () => {
    const merging = number();
    const pages = Array.from({ length: number() }, () => {
      // The segment's id.
      number();
      const first = number();
      const last = number();
      if (isNewer) for (let index = 0; index < numbersOfNewerForm; index += 1) number();
      return last - first + 1;
    });
    return { merging, pages };
  });
}

/** The number of segments of one level at which FTS5 merges them (its default for `usermerge`). */
const fewestMerged = 4;

/** The level whose segments FTS5 would merge next; undefined if no level has enough. */
export function nextMerged(levels: readonly SegmentLevel[]): SegmentLevel | undefined {
  let next: SegmentLevel | undefined;
  let most = 0;
  for (const level of levels) {
    // What was begun comes before all older levels.
    if (level.merging > most) return level;
    if (level.merging > 0) break;
    if (level.pages.length > most) {
      most = level.pages.length;
      next = level;
    }
  }
  return most < fewestMerged ? undefined : next;
}
