import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { Refusal, rejected, tooLarge, unsupportedMedia } from '../errors.ts';
import { pieceCheck } from './body-pieces.ts';
import { shapeCheck } from './json-shape.ts';

/** Bodies up to 1 MB (decision 0003). */
const maxBytes = 1_000_000;
/** Bodies up to this size are read in one go. */
const smallBytes = 16_384;

const parse = koaBody({
  json: true,
  multipart: false,
  urlencoded: false,
  text: false,
  jsonLimit: maxBytes,
  jsonStrict: true,
  includeUnparsed: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.DELETE],
  onError: (error, context) => {
    const text = (error as { body?: unknown }).body;
    // The parser rejects keys that would reach a prototype. Here they are unknown keys like any other.
    if (!(error instanceof SyntaxError) || typeof text !== 'string' || !isJson(text)) throw asRefusal(error);
    context.request.body = JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  },
});

/** The message for a text that `pathOfUnstorable` finds. */
export const unstorable = 'This text contains characters that cannot be stored. Remove them.';

/**
 * Reads a JSON object from the request; a missing body is an empty object. A large one is read, parsed, checked and used
 * in turns that `nextTurn` waits for: each may take milliseconds. Throws 400, 413 or 415.
 */
export async function readBody(
  context: Koa.Context,
  nextTurn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const { headers } = context.req;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  checkMediaType(headers['content-type'], headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
  boundShape(context.req);
  const isLarge = !(Number(headers['content-length']) <= smallBytes);
  if (isLarge) readInTurns(context.req, nextTurn);
  const isUtf8 = utf8Check(context.req);
  await parse(context, async () => {});
  if (!isUtf8()) throw rejected('invalid_json', undefined, 'The body is not valid UTF-8.');
  const body: unknown = context.request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  if (isLarge) await nextTurn();
  const path = pathOfUnstorable(body);
  if (path) {
    throw rejected('invalid_json', path.join('.'), unstorable);
  }
  if (isLarge) await nextTurn();
  return body as Record<string, unknown>;
}

/** Reads a body that nobody sent: the parser loads its decoders, which takes milliseconds, with the first one. */
export async function warmUpBodies(): Promise<void> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'POST', url: '/' });
  Object.assign(request.headers, { 'content-type': 'application/json', 'content-length': '2' });
  request.push('{}');
  request.push(null);
  await readBody(new Koa().createContext(request, new ServerResponse(request)), async () => {});
}

/**
 * Lets the bytes of a body in one piece at a time, and its end, after which it is parsed, in a turn of its own. A piece
 * has up to 64 kB, and many connections may have one at the same moment.
 */
function readInTurns(request: IncomingMessage, nextTurn: () => Promise<void>): void {
  request.on('data', () => {
    request.pause();
    void nextTurn().then(() => request.resume());
  });
}

/**
 * Checks the bytes of a body in addition to the parser, which replaces invalid UTF-8 with U+FFFD. Call it in the same
 * tick in which the parser starts to listen; call the returned function when the parser has finished.
 */
function utf8Check(request: IncomingMessage): () => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isValid = true;
  const decode = (chunk?: Buffer) => {
    if (!isValid) return;
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      // Only invalid UTF-8 makes it throw.
      isValid = false;
    }
  };
  request.on('data', decode);
  return () => {
    decode();
    return isValid;
  };
}

function checkMediaType(type: string | undefined, encoding: string | undefined): void {
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMedia('Send the body without a content encoding.');
  }
  const [media = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  // Both spellings mean the same (WHATWG Encoding, "utf8").
  const isUtf8 = charset === undefined || ['utf-8', 'utf8'].includes(charset.replaceAll('"', ''));
  if (media !== 'application/json' || !isUtf8) {
    throw unsupportedMedia('Send the body as JSON with Content-Type: application/json.');
  }
}

/**
 * Rejects a body by its structure before it is parsed: a megabyte of brackets takes the parser 40 ms, and recursive
 * code would overflow the stack. The error is raised on the request, for whoever reads the body.
 */
function boundShape(request: IncomingMessage): void {
  const check = shapeCheck();
  const isInTooManyPieces = pieceCheck();
  const look = (chunk: Buffer) => {
    const fault = isInTooManyPieces(chunk) ? tooManyPieces : check(chunk);
    if (fault === undefined) return;
    // The remaining data is ignored; the parser is notified by the error.
    request.removeAllListeners('data');
    request.emit('error', rejected('invalid_json', undefined, fault));
  };
  request.on('data', look);
}

/**
 * The path of the first string that no field can store, with NUL or a lone surrogate; undefined if there is none.
 * `boundShape` has limited the nesting before.
 */
export function pathOfUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  // Not its entries: 50,000 pairs take longer to make than to look at.
  for (const key of Object.keys(value)) {
    const path = pathOfUnstorable((value as Record<string, unknown>)[key]);
    if (path) return [key, ...path];
  }
  return undefined;
}

function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { status, type } = error as { status?: number; type?: string };
  if (status === 413) return bodyTooLarge();
  if (status === 415) return unsupportedMedia('Send the body as JSON with Content-Type: application/json.');
  if (status === 400 || error instanceof SyntaxError) {
    return type === 'request.aborted' || type === 'request.size.invalid'
      ? rejected('incomplete_body', undefined, 'The request body is incomplete.')
      : rejected('invalid_json', undefined, 'The body is not valid JSON.');
  }
  return error;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    // The parser was right.
    return false;
  }
}

const tooManyPieces = 'The body arrives in too many small chunks. Send larger ones.';

function notAnObject() {
  return rejected('invalid_json', undefined, 'Send a JSON object as the body.');
}

function bodyTooLarge() {
  return tooLarge('The body is larger than 1 MB.');
}
