import type { ServerResponse } from 'node:http';
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

/**
 * Written without Koa, whose pipeline creates errors with stack traces for each response that a client breaks off:
 * redirects wait while a hundred of them end.
 */
function send(context: Koa.Context, type: string, pieces: AsyncIterable<string>): void {
  context.respond = false;
  context.status = 200;
  context.set('Content-Type', type);
  context.set('Cache-Control', 'no-store');
  if (context.method === 'HEAD') context.res.end();
  else void writeAll(context, pieces);
}

async function writeAll({ res: response, app }: Koa.Context, pieces: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of pieces) {
      // Leaving the loop ends the reading.
      if (response.destroyed) return;
      if (!response.write(piece)) await roomIn(response);
    }
    response.end();
  } catch (error) {
    // The client must not take what it has for the whole.
    response.destroy();
    app.emit('error', error);
  }
}

/** Resolves as soon as a response takes more, or its client is gone. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function* inDocument({ filename, content }: SentFile) {
  yield `{"error":0,"data":{"filename":${JSON.stringify(filename)},"content":"`;
  // The inside of a JSON string can be written in chunks: no chunk ends within a character.
  for await (const piece of content) yield JSON.stringify(piece).slice(1, -1);
  yield '"}}';
}
