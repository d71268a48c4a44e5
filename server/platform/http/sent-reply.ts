import { Readable } from 'node:stream';
import type Koa from 'koa';
import { jsonPieces } from './json-pieces.ts';
import type { UnreadAnswers } from './unread-answers.ts';

interface Sending {
  unread: UnreadAnswers;
  /** The caller: an account or a network. */
  party: string;
  /** Whether nothing was changed, so that the response may still be rejected. */
  isRead: boolean;
}

/** Sends a response as JSON. Throws 429 for a read-only request while too many previous responses are unread. */
export async function sendReply(
  context: Koa.Context,
  reply: object,
  { unread, party, isRead }: Sending,
): Promise<void> {
  const pieces = await jsonPieces(reply);
  if (isRead) unread.check(party);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  unread.hold(party, length, context.res);
  const [only] = pieces;
  context.body = pieces.length === 1 ? only : Readable.from(pieces, { objectMode: false });
  context.type = 'json';
  context.length = length;
}
