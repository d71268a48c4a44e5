import { Readable } from 'node:stream';
import type Koa from 'koa';

/** A file whose content is read while it is sent, a piece at a time: between two of them everybody else gets a turn. */
export interface SentFile {
  filename: string;
  type: string;
  content: AsyncGenerator<string>;
}

/** Answers with a file, and reads no further once whoever asked has gone. */
export function sendFile(context: Koa.Context, { filename, type, content }: SentFile): void {
  context.set('Content-Disposition', `attachment; filename="${filename}"`);
  send(context, type, content);
}

/** Answers with a document that has the file in it, for clients that read nothing else. */
export function sendInDocument(context: Koa.Context, file: SentFile): void {
  sendDocument(context, inDocument(file));
}

/** Answers with a JSON document that is written piece by piece. */
export function sendDocument(context: Koa.Context, pieces: AsyncIterable<string>): void {
  send(context, 'application/json; charset=utf-8', pieces);
}

function send(context: Koa.Context, type: string, pieces: AsyncIterable<string>): void {
  context.status = 200;
  context.set('Content-Type', type);
  context.set('Cache-Control', 'no-store');
  context.body = Readable.from(pieces);
}

async function* inDocument({ filename, content }: SentFile) {
  yield `{"error":0,"data":{"filename":${JSON.stringify(filename)},"content":"`;
  // The inside of a JSON text can be written piece by piece: no piece ends within a character.
  for await (const piece of content) yield JSON.stringify(piece).slice(1, -1);
  yield '"}}';
}
