/** One field of a request that is wrong, as it goes into `errors` of the reply. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
}

interface Details {
  code: string;
  field?: string;
  errors?: FieldProblem[];
  /** Goes into the reply as `data` (for instance the address that a domain resolved to). */
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * A failure that the caller is told about: status, stable code and a whole sentence. Made by the factories below and
 * answered in one place (http/errors.ts). Anything else that is thrown is a bug and answered bare, with an id.
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

/** 400: something in the request's content is wrong, uniqueness included (decision 0001). */
export function rejected(code: string, field: string | undefined, message: string): Refusal {
  return new Refusal(400, message, field === undefined ? { code } : { code, field });
}

/** 400 with every field that is wrong; the first one is also named at the top. */
export function rejectedFields(errors: FieldProblem[]): Refusal {
  const [first] = errors;
  if (!first) throw new Error('rejectedFields needs at least one problem');
  return new Refusal(400, first.message, { code: first.code, field: first.field, errors });
}

/** 401 in the one form that missing, unknown, expired and revoked keys share. */
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

/** 403: the key or the account may not do this. */
export function forbidden(code: string, message: string, field?: string): Refusal {
  return new Refusal(403, message, field === undefined ? { code } : { code, field });
}

/** 403 of a plan's gate: `field` is the permission's name (decision 0004). */
export function planRequired(permission: string): Refusal {
  return forbidden('plan_required', `Your plan does not include this: ${permission}.`, permission);
}

/**
 * 403 of a plan that has what is asked for, but not one more of it: `most` is its number, `label` names one of them.
 * Has the code and field of `planRequired`, which are those of everything that a plan bounds.
 */
export function planFull(permission: string, most: number, label: string): Refusal {
  const allowed = most === 0 ? `no ${label}s` : most === 1 ? `1 ${label}` : `${most} ${label}s`;
  const advice = most === 0 ? 'Change the plan.' : 'Delete one or change the plan.';
  return forbidden('plan_required', `Your plan allows ${allowed}. ${advice}`, permission);
}

/** 403 of a key that may not do everything; `scope` is what it lacks (decision 0009). */
export function scopeMissing(scope: string): Refusal {
  return forbidden('scope_missing', `This key lacks the scope ${scope}.`);
}

/** 403: a key with an end does nothing that outlives it. */
export function keyExpires(): Refusal {
  return forbidden(
    'key_expires',
    'This key expires, so it cannot do anything that outlives it. Sign in to do that.',
  );
}

/**
 * 404: unknown, or another account's, which must be indistinguishable. `thing` starts the sentence, "Link was not
 * found."; omitted where it is not known.
 */
export function notFound(thing?: string): Refusal {
  return new Refusal(404, thing === undefined ? 'Not found.' : `${thing} was not found.`, {
    code: 'not_found',
  });
}

/** 404 for a path that no endpoint has. */
export function unknownEndpoint(): Refusal {
  return new Refusal(404, 'Unknown API endpoint.', { code: 'not_found' });
}

/** 405 with the methods that the path has. */
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

/** 409: somebody has changed the record since the state that the edit was made from; `data` is the record as it is. */
export function changed(record: Record<string, unknown>): Refusal {
  return new Refusal(409, 'Somebody has changed this in the meantime. Look at it again, then save.', {
    code: 'changed',
    data: record,
  });
}

/** 413: more bytes than the endpoint takes. */
export function tooLarge(message: string): Refusal {
  return new Refusal(413, message, { code: 'too_large' });
}

/** 415: a body that is not what the endpoint reads. */
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

/** 503: the storage answers no more; of a long work a part may be done. */
export function unavailable(message: string): Refusal {
  return new Refusal(503, message, { code: 'unavailable' });
}

/** 503: more work waits than is done soon; nothing was changed. */
export function busy(): Refusal {
  return new Refusal(503, 'The server is busy. Try again in a few seconds.', {
    code: 'busy',
    headers: { 'Retry-After': '5' },
  });
}

/** 503: what would be written now would be lost, because a backup takes the place of everything. */
export function restoring(): Refusal {
  return new Refusal(
    503,
    'A backup is being restored, so nothing was changed. Check the restored data and try again in a minute.',
    { code: 'restoring', headers: { 'Retry-After': '60' } },
  );
}

/** 507: the disk is full; of a long work a part may be done. */
export function diskFull(): Refusal {
  return new Refusal(507, "The server's disk is full. Free some space and try again.", {
    code: 'disk_full',
  });
}
