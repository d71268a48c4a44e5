/** One invalid field of a request, as it appears in `errors` of the response. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
}

interface Details {
  code: string;
  field?: string;
  errors?: FieldProblem[];
  /** Returned as `data` in the response (for instance the address that a domain resolved to). */
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * A failure that is reported to the caller, with status, stable code and a full sentence. Created by the factories
 * below and turned into a response in one place (http/errors.ts). Anything else that is thrown is a bug and is
 * reported without details, with an id.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly details: Details;

  constructor(status: number, message: string, details: Details) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.details = details;
  }
}

/** 400: the request's content is invalid; this includes uniqueness conflicts (decision 0001). */
export function rejected(code: string, field: string | undefined, message: string): Refusal {
  return new Refusal(400, message, field === undefined ? { code } : { code, field });
}

/** 400 with every invalid field; the first one is also reported at the top level. */
export function rejectedFields(errors: FieldProblem[]): Refusal {
  const [first] = errors;
  if (!first) throw new Error('rejectedFields needs at least one problem');
  return new Refusal(400, first.message, { code: first.code, field: first.field, errors });
}

/** 401 in the one form shared by missing, unknown, expired and revoked keys. */
export function unauthorized(): Refusal {
  return new Refusal(401, 'Send a valid API key in the Authorization header.', {
    code: 'unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** 401 of the sign-in endpoints: wrong credentials or a missing second factor (decision 0001). */
export function signInRefused(
  code: 'invalid_credentials' | 'code_required' | 'invalid_passkey' | 'sign_in_expired' | `sso_${string}`,
  message: string,
): Refusal {
  return new Refusal(401, message, { code, headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 403: the key or account is not allowed to do this. */
export function forbidden(code: string, message: string, field?: string): Refusal {
  return new Refusal(403, message, field === undefined ? { code } : { code, field });
}

/** 403 because the plan lacks a feature: `field` is the permission's name (decision 0004). */
export function planRequired(permission: string): Refusal {
  return forbidden('plan_required', `Your plan does not include this: ${permission}.`, permission);
}

/**
 * 403 because the plan's quota is used up: `most` is the quota, `label` the name of one item. Uses the code and field
 * of `planRequired`, as all plan limits do.
 */
export function planFull(permission: string, most: number, label: string): Refusal {
  const allowed = most === 0 ? `no ${label}s` : most === 1 ? `1 ${label}` : `${most} ${label}s`;
  const advice = most === 0 ? 'Change the plan.' : 'Delete one or change the plan.';
  return forbidden('plan_required', `Your plan allows ${allowed}. ${advice}`, permission);
}

/** 403 for a restricted key; `scope` is the missing one (decision 0009). */
export function scopeMissing(scope: string): Refusal {
  return forbidden('scope_missing', `This key lacks the scope ${scope}.`);
}

/** 403: an expiring key cannot create anything that outlives it. */
export function keyExpires(): Refusal {
  return forbidden(
    'key_expires',
    'This key expires, so it cannot do anything that outlives it. Sign in to do that.',
  );
}

/**
 * 404: unknown or owned by another account, which must be indistinguishable. `thing` starts the sentence ("Link was not
 * found."); omitted if unknown.
 */
export function notFound(thing?: string): Refusal {
  return new Refusal(404, thing === undefined ? 'Not found.' : `${thing} was not found.`, {
    code: 'not_found',
  });
}

/** 404 for a path without an endpoint. */
export function unknownEndpoint(): Refusal {
  return new Refusal(404, 'Unknown API endpoint.', { code: 'not_found' });
}

/** 405 with the methods that the path supports. */
export function methodNotAllowed(allowed: readonly string[]): Refusal {
  return new Refusal(405, `Use ${allowed.join(', ')} on this path.`, {
    code: 'method_not_allowed',
    headers: { Allow: allowed.join(', ') },
  });
}

/** 408: the request did not arrive in time. */
export function timedOut(message: string): Refusal {
  return new Refusal(408, message, { code: 'timeout' });
}

/** 409: the record has changed since the version that the edit was based on; `data` is the current record. */
export function changed(record: Record<string, unknown>): Refusal {
  return new Refusal(409, 'Someone else has changed this in the meantime. Check the changes, then save.', {
    code: 'changed',
    data: record,
  });
}

/** 413: more bytes than the endpoint accepts. */
export function tooLarge(message: string): Refusal {
  return new Refusal(413, message, { code: 'too_large' });
}

/** 415: a body type that the endpoint does not accept. */
export function unsupportedMedia(message: string): Refusal {
  return new Refusal(415, message, { code: 'unsupported_media_type' });
}

/** 429 with the seconds to wait. */
export function tooMany(code: string, message: string, retryAfterSeconds: number): Refusal {
  return new Refusal(429, message, {
    code,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
}

/** 503: the storage does not respond; a long operation may be partly done. */
export function unavailable(message: string): Refusal {
  return new Refusal(503, message, { code: 'unavailable' });
}

/** 503: too much work is queued; nothing was changed. */
export function busy(): Refusal {
  return new Refusal(503, 'The server is busy. Try again in a few seconds.', {
    code: 'busy',
    headers: { 'Retry-After': '5' },
  });
}

/** 503: a write now would be lost, because a restore is replacing all data. */
export function restoring(): Refusal {
  return new Refusal(
    503,
    'A backup is being restored, so nothing was changed. Check the restored data and try again in a minute.',
    { code: 'restoring', headers: { 'Retry-After': '60' } },
  );
}

/** 507: the disk is full; a long operation may be partly done. */
export function diskFull(): Refusal {
  return new Refusal(507, "The server's disk is full. Free some space and try again.", {
    code: 'disk_full',
  });
}
