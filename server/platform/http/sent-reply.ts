import { Readable } from 'node:stream';
import type Koa from 'koa';
import { jsonPieces } from './json-pieces.ts';
import type { UnreadAnswers } from './unread-answers.ts';

interface Sending {
  unread: UnreadAnswers;
  /** Who asked: an account, or a network. */
  party: string;
  /** Whether nothing was changed, so that too much may still be refused. */
  isRead: boolean;
}

/** Answers with a reply as JSON. Throws 429 for one that was only read while too many before it are not read yet. */
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
