import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { Refusal, rejected, tooLarge, unsupportedMedia } from '../errors.ts';
import { pieceCheck } from './body-pieces.ts';
import { shapeCheck } from './json-shape.ts';

/** Bodies up to 1 MB (decision 0003). */
const maxBytes = 1_000_000;

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
    // The parser refuses keys that would reach a prototype. To this interface they are unknown keys like others.
    if (!(error instanceof SyntaxError) || typeof text !== 'string' || !isJson(text)) throw asRefusal(error);
    context.request.body = JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  },
});

/** What is said of a text that `pathOfUnstorable` finds. */
export const unstorable = 'This text contains characters that cannot be stored. Remove them.';

/** Reads a JSON object from the request; an absent body is an empty object. Throws 400, 413 or 415. */
export async function readBody(context: Koa.Context): Promise<Record<string, unknown>> {
  const { headers } = context.req;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  checkMediaType(headers['content-type'], headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
  boundShape(context.req);
  const isUtf8 = utf8Check(context.req);
  await parse(context, async () => {});
  if (!isUtf8()) throw rejected('invalid_json', undefined, 'The body is not valid UTF-8.');
  const body: unknown = context.request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  const path = pathOfUnstorable(body);
  if (path) {
    throw rejected('invalid_json', path.join('.'), unstorable);
  }
  return body as Record<string, unknown>;
}

/**
 * Looks at a body beside the parser, which puts U+FFFD where bytes are no UTF-8. To be called in the turn in which the
 * parser begins to listen; what it returns is asked when that is through.
 */
function utf8Check(request: IncomingMessage): () => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isValid = true;
  const decode = (chunk?: Buffer) => {
    if (!isValid) return;
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      // Only bytes that are no UTF-8 make it throw.
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
  // Both spellings are the same to everybody who reads it (WHATWG Encoding, "utf8").
  const isUtf8 = charset === undefined || ['utf-8', 'utf8'].includes(charset.replaceAll('"', ''));
  if (media !== 'application/json' || !isUtf8) {
    throw unsupportedMedia('Send the body as JSON with Content-Type: application/json.');
  }
}

/**
 * Refuses a body for its shape before it is parsed: a megabyte of brackets takes the parser 40 ms, and whatever looks
 * into the result deeper than the stack goes. Whoever waits for the body gets the refusal as the request's error.
 */
function boundShape(request: IncomingMessage): void {
  const check = shapeCheck();
  const isInTooManyPieces = pieceCheck();
  const look = (chunk: Buffer) => {
    const fault = isInTooManyPieces(chunk) ? tooManyPieces : check(chunk);
    if (fault === undefined) return;
    // Nobody looks at what follows; the parser is told by the error.
    request.removeAllListeners('data');
    request.emit('error', rejected('invalid_json', undefined, fault));
  };
  request.on('data', look);
}

/**
 * The keys that lead to the first text which no field can hold, with NUL or half of a surrogate pair; undefined where
 * there is none. What it looks into is as flat as `boundShape` lets through.
 */
export function pathOfUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    const path = pathOfUnstorable(entry);
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

const tooManyPieces = 'The body comes in too many small pieces. Send it in larger ones.';

function notAnObject() {
  return rejected('invalid_json', undefined, 'Send a JSON object as the body.');
}

function bodyTooLarge() {
  return tooLarge('The body is larger than 1 MB.');
}
