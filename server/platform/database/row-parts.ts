import type { Read, Rows, RowsPart, RowsQuestion } from './reader.ts';

/** Bytes of text per part: deserializing them takes the redirect thread about a millisecond. */
const mostBytes = 256 * 1024;
/** The size of a row without its texts. */
const rowBytes = 100;

/**
 * Splits rows into parts in the reader thread: a thousand links with long URLs are ten megabytes, which would be
 * deserialized in one go. The caller requests the parts one by one.
 */
export function rowParts(read: (reads: readonly Read[]) => Rows[]): (question: RowsQuestion) => RowsPart {
  const left = new Map<number, Rows[]>();
  let lastNumber = 0;

  return (question) => {
    const answers = 'reads' in question ? read(question.reads) : (left.get(question.more) ?? []);
    if ('more' in question) left.delete(question.more);
    const end = endOfPart(answers);
    if (!end) return { answers, more: undefined };
    lastNumber += 1;
    left.set(
      lastNumber,
      answers.map((rows, index) =>
        rows.slice(index < end.answer ? rows.length : index > end.answer ? 0 : end.row),
      ),
    );
    return {
      answers: answers.map((rows, index) =>
        index < end.answer ? rows : rows.slice(0, index > end.answer ? 0 : end.row),
      ),
      more: lastNumber,
    };
  };
}

/** The row and result after which a part ends; undefined if everything fits. */
function endOfPart(answers: readonly Rows[]): { answer: number; row: number } | undefined {
  let bytes = 0;
  for (const [answer, rows] of answers.entries()) {
    for (const [index, row] of rows.entries()) {
      if (bytes > mostBytes) return { answer, row: index };
      bytes += rowBytes;
      for (const name in row) {
        const value = row[name];
        if (typeof value === 'string') bytes += value.length;
      }
    }
  }
  return undefined;
}
