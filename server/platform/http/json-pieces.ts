import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { rowsAtOnce } from './pagination.ts';

/** Characters per chunk. */
const pieceLength = 64 * 1024;
/** Chunks that are written before yielding: about a millisecond. */
const piecesAtOnce = 4;

/**
 * The JSON text of a response, in one chunk unless it is a long list. A long list is written in chunks: redirects are
 * answered in between, and queued output takes no more memory than its bytes.
 */
export async function jsonPieces(reply: object): Promise<readonly Buffer[]> {
  if (!hasLongList(reply)) return [Buffer.from(JSON.stringify(reply))];
  const pieces: Buffer[] = [];
  let text = '';
  for (const part of partsOf(reply)) {
    text += part;
    if (text.length < pieceLength) continue;
    pieces.push(Buffer.from(text));
    text = '';
    if (pieces.length % piecesAtOnce === 0) await turnOfOthers();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** The values of a response, or one level below. */
function hasLongList(reply: object): boolean {
  return Object.values(reply).some(
    (value) => isLong(value) || (isPlain(value) && Object.values(value).some(isLong)),
  );
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > rowsAtOnce;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The text of a value as `JSON.stringify` writes it, lists entry by entry. */
function* partsOf(value: unknown, depth = 0): Generator<string> {
  if (isLong(value)) {
    yield '[';
    for (const [index, entry] of value.entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(entry) ?? 'null'}`;
    }
    yield ']';
  } else if (depth < 2 && isPlain(value)) {
    yield '{';
    let isFirst = true;
    for (const [name, entry] of Object.entries(value)) {
      if (entry === undefined) continue;
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      yield* partsOf(entry, depth + 1);
    }
    yield '}';
  } else yield JSON.stringify(value);
}
