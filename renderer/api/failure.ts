/**
 * Why a call failed.
 * `refused`: rejected by the server, with a message for the user · `unreachable`: no response · `limited`: too many
 * requests, and the wait is too long to retry automatically · `unauthorized`: missing or expired key · `malformed`: the
 * response violates the contract · `locked`: the desktop app has a key, but the system's key store is locked (code
 * `key_store_locked`) or cannot decrypt it (`key_store_foreign`).
 */
export type FailureKind = 'refused' | 'unreachable' | 'limited' | 'unauthorized' | 'malformed' | 'locked';

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface FailureFacts {
  /** HTTP status; 0 if there was no response. */
  readonly status?: number;
  /** Stable code, such as `slug_taken`. Decide by this, never by the message. */
  readonly code?: string;
  /** The field that caused the failure, if it is a single one. */
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
  /** Seconds until the server accepts requests again. */
  readonly retryAfter?: number;
  /** Id of the failure in the server's log. */
  readonly id?: string;
  /** Additional data: for a version conflict, the current record. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Messages in the current language by code; the server's own messages are English. */
let sentences: Readonly<Record<string, string>> = {};

/**
 * Sets the translated messages of failures, by code, or `code.field` if the meaning of a code depends on the field.
 * Other codes use the server's message. The placeholder `{reason}` in a message is replaced by `data.reason` of the
 * failure, and so on.
 */
export function speakFailures(byCode: Readonly<Record<string, string>>): void {
  sentences = byCode;
}

/** The translated message; undefined if there is none, or if the data for its placeholders is missing. */
function sentenceOf({ code = '', field, data }: FailureFacts): string | undefined {
  const sentence = sentences[`${code}.${field}`] ?? sentences[code];
  const names = sentence?.match(/(?<=\{)\w+(?=\})/g) ?? [];
  if (names.some((name) => typeof data?.[name] !== 'string')) return undefined;
  return names.reduce((text, name) => text?.replace(`{${name}}`, () => String(data?.[name])), sentence);
}

/**
 * Message of a failure that is part of a successful response: translated, or the server's. If the server's message
 * covers several problems, `codes` lists them.
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

/** The only error that `call` throws, except for aborts by the caller (a DOMException named AbortError). */
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
 * Field errors of a failure, in the format of UForm's `setErrors`.
 * Empty if the failure does not concern a field: then show `failure.message` above the form.
 */
export function fieldErrors(failure: unknown): { name: string; message: string }[] {
  if (!(failure instanceof ApiFailure)) return [];
  if (failure.errors.length > 0) {
    return failure.errors.map((problem) => ({ name: problem.field, message: problem.message }));
  }
  return failure.field ? [{ name: failure.field, message: failure.message }] : [];
}

/**
 * The field errors of a failure that a form shows beside its fields, and whether they are all that there is to show;
 * otherwise show the message above the form. Names may be paths into a field: `address.zip`, `ssl.mode`.
 */
export function placedErrors(failure: unknown, hasField: (field: string) => boolean) {
  const errors = fieldErrors(failure);
  const placed = errors.filter(({ name }) => hasField(name.split('.')[0] ?? ''));
  return { placed, isAll: placed.length > 0 && placed.length === errors.length };
}

/** Whether a call was aborted by its caller, which is not reported to the user. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
