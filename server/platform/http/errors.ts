import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isDiskFull } from '../database/disk-space.ts';
import { diskFull, Refusal, unavailable } from '../errors.ts';
import { jsonHeaders } from './headers.ts';

export interface FailureReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/**
 * The one place where errors become responses: a Refusal reports its own status and message; storage errors are 503
 * and 507; everything else is logged in full and answered without details, with an id that is also in the log
 * (decision 0001).
 */
export function failureReply(thrown: unknown, log: Pick<Logger, 'error'>): FailureReply {
  const refusal = asRefusal(thrown, log);
  if (refusal) {
    const { code, field, errors, data, headers } = refusal.details;
    return {
      status: refusal.status,
      headers: headers ?? {},
      body: {
        error: 1,
        message: refusal.message,
        code,
        ...(field !== undefined && { field }),
        ...(errors && { errors }),
        ...(data && { data }),
      },
    };
  }
  const id = randomUUID();
  log.error({ id, err: thrown }, 'unexpected failure');
  return {
    status: 500,
    headers: {},
    body: {
      error: 1,
      message:
        'Something went wrong on the server. Try again. If it keeps failing, look up the id in the log.',
      code: 'internal',
      id,
    },
  };
}

/** Answers errors outside the API and its pages; aborts a response that has already started. */
export function answerFailure(response: ServerResponse, thrown: unknown, log: Pick<Logger, 'error'>): void {
  const { status, headers, body } = failureReply(thrown, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...jsonHeaders,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  response.end(text);
}

function asRefusal(thrown: unknown, log: Pick<Logger, 'error'>): Refusal | undefined {
  if (thrown instanceof Refusal) return thrown;
  const code = codeOf(thrown);
  if (isDiskFull({ code })) {
    log.error({ err: thrown }, 'disk full');
    return diskFull();
  }
  if (
    code?.startsWith('SQLITE_IOERR') ||
    code?.startsWith('SQLITE_READONLY') ||
    code?.startsWith('SQLITE_BUSY')
  ) {
    log.error({ err: thrown }, 'storage fault');
    return unavailable('The storage of the server does not respond. Try again.');
  }
  return undefined;
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
