import { Readable } from 'node:stream';
import type Koa from 'koa';

/** A file that is read while it is sent, in chunks, yielding between them. */
export interface SentFile {
  filename: string;
  type: string;
  content: AsyncGenerator<string>;
}

/** Answers with a file, and stops reading when the client is gone. */
export function sendFile(context: Koa.Context, { filename, type, content }: SentFile): void {
  context.set('Content-Disposition', `attachment; filename="${filename}"`);
  send(context, type, content);
}

/** Answers with a JSON document that contains the file, for clients that read only JSON. */
export function sendInDocument(context: Koa.Context, file: SentFile): void {
  sendDocument(context, inDocument(file));
}

/** Answers with a JSON document that is written in chunks. */
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
  // The inside of a JSON string can be written in chunks: no chunk ends within a character.
  for await (const piece of content) yield JSON.stringify(piece).slice(1, -1);
  yield '"}}';
}
