/**
 * Why a call did not succeed.
 * `refused`: the server said no (its message is a sentence for the person) · `unreachable`: there was no reply ·
 * `limited`: too many requests, and the wait is longer than we wait by ourselves · `unauthorized`: no or an expired
 * key · `malformed`: the reply is not what the contract promises · `locked`: the desktop has a key, and the system's
 * key store does not give it out now (code `key_store_locked`) or cannot open it (`key_store_foreign`).
 */
export type FailureKind = 'refused' | 'unreachable' | 'limited' | 'unauthorized' | 'malformed' | 'locked';

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface FailureFacts {
  /** HTTP status; 0 where there was no reply. */
  readonly status?: number;
  /** Stable, such as `slug_taken`. Code decides by this, never by the message. */
  readonly code?: string;
  /** The one field that is at fault. */
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
  /** Seconds until the server will listen again. */
  readonly retryAfter?: number;
  /** Under which id the server's log has it. */
  readonly id?: string;
  /** What else it tells: of a record that somebody else has changed, the record. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What the shown language says for a code; a server's own sentences are English. */
let sentences: Readonly<Record<string, string>> = {};

/**
 * From now on failures speak by these sentences, each under the code that it is for, or under `code.field` where a code
 * means different things for different fields; for all others the server's stays. `{reason}` in one stands for what the failure's `data` has under that name.
 */
export function speakFailures(byCode: Readonly<Record<string, string>>): void {
  sentences = byCode;
}

/** The sentence of the shown language; undefined where it has none, or where what it has to name did not come along. */
function sentenceOf({ code = '', field, data }: FailureFacts): string | undefined {
  const sentence = sentences[`${code}.${field}`] ?? sentences[code];
  const names = sentence?.match(/(?<=\{)\w+(?=\})/g) ?? [];
  if (names.some((name) => typeof data?.[name] !== 'string')) return undefined;
  return names.reduce((text, name) => text?.replace(`{${name}}`, () => String(data?.[name])), sentence);
}

/**
 * What a refusal that is told of later says: in the shown language, or in the server's words. Where its message tells of
 * several things, `codes` names each.
 */
export function toldFailure({
  message,
  codes,
  ...facts
}: FailureFacts & { readonly message: string; readonly codes?: readonly string[] }): string {
  if (!codes) return sentenceOf(facts) ?? message;
  const all = codes.flatMap((code) => sentenceOf({ ...facts, code }) ?? []);
  return all.length === codes.length ? all.join(' ') : message;
}

/** The one error that `call` throws, but for an abort by the caller (a DOMException named AbortError). */
export class ApiFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly errors: readonly FieldProblem[];
  readonly retryAfter: number | undefined;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}) {
    super(sentenceOf(facts) ?? message);
    this.name = 'ApiFailure';
    this.kind = kind;
    this.status = facts.status ?? 0;
    this.code = facts.code ?? kind;
    this.field = facts.field;
    this.errors = (facts.errors ?? []).map((problem) => ({
      ...problem,
      message: sentenceOf({ code: problem.code, field: problem.field }) ?? problem.message,
    }));
    this.retryAfter = facts.retryAfter;
    this.id = facts.id;
    this.data = facts.data;
  }
}

/**
 * What a failure says about fields, in the shape that UForm's `setErrors` takes.
 * Empty when the failure is about no field: show `failure.message` above the form then.
 */
export function fieldErrors(failure: unknown): { name: string; message: string }[] {
  if (!(failure instanceof ApiFailure)) return [];
  if (failure.errors.length > 0) {
    return failure.errors.map((problem) => ({ name: problem.field, message: problem.message }));
  }
  return failure.field ? [{ name: failure.field, message: failure.message }] : [];
}

/** Whether a call ended because its caller gave it up, which nobody needs to be told. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
