import { createGzip } from 'node:zlib';
import type Koa from 'koa';
import { acceptsCoding, gzipped, worthCompressing } from './content-coding.ts';
import { jsonPieces } from './json-pieces.ts';
import type { UnreadAnswers } from './unread-answers.ts';

interface Sending {
  unread: UnreadAnswers;
  /** The caller: an account or a network. */
  party: string;
  /** Whether nothing was changed, so that the response may still be rejected. */
  isRead: boolean;
}

/** Most of the gain for a fifth of the work of the default level. */
const level = 1;
/** Each compression takes a quarter of a megabyte; what comes on top is sent as it is. */
const mostCompressing = 8;

let compressing = 0;

/** Sends a response as JSON. Throws 429 for a read-only request while too many previous responses are unread. */
export async function sendReply(
  context: Koa.Context,
  reply: object,
  { unread, party, isRead }: Sending,
): Promise<void> {
  const plain = await jsonPieces(reply);
  context.vary('Accept-Encoding');
  const compressed = await compressedIfWanted(context, plain);
  if (isRead) unread.check(party);
  const pieces = compressed ?? plain;
  const length = lengthOf(pieces);
  unread.hold(party, length, context.res);
  if (compressed) context.set('Content-Encoding', 'gzip');
  context.type = 'json';
  context.length = length;
  if (pieces.length === 1) context.body = pieces[0];
  else writeAtOnce(context, pieces);
}

/**
 * The chunks in gzip format, compressed by other threads, if the client accepts that and it is worth it. The length of a
 * reply leaks no secret in it (BREACH): no other site can make a browser send the key that a request needs. HEAD has the
 * same headers as GET, and so the same length (RFC 9110, section 8.6).
 */
async function compressedIfWanted(
  context: Koa.Context,
  pieces: readonly Buffer[],
): Promise<readonly Buffer[] | undefined> {
  if (!acceptsCoding(context.get('Accept-Encoding'), 'gzip')) return undefined;
  if (lengthOf(pieces) < worthCompressing || compressing >= mostCompressing) return undefined;
  compressing += 1;
  try {
    const [only] = pieces;
    return pieces.length === 1 && only ? [await gzipped(only, { level })] : await gzippedPieces(pieces);
  } finally {
    compressing -= 1;
  }
}

async function gzippedPieces(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const compressor = createGzip({ level });
  for (const piece of pieces) compressor.write(piece);
  compressor.end();
  return (await compressor.toArray()) as Buffer[];
}

/**
 * Writes what is in memory already, without Koa: its pipeline creates errors with stack traces for each response that a
 * client breaks off.
 */
function writeAtOnce(context: Koa.Context, pieces: readonly Buffer[]): void {
  context.respond = false;
  if (context.method !== 'HEAD') for (const piece of pieces) context.res.write(piece);
  context.res.end();
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
