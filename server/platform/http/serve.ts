import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { z } from 'zod';
import type { AnyEndpoint, BodyOf, IdsOf, ParamsOf, QueryOf, ReplyOf } from '../../contract/endpoint.ts';
import type { Marks } from '../../contract/marks.ts';
import { type Authored as AuthoredKind, powers, type TeamRule, teamRuleOf } from '../../contract/roles.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { editedRecordOf } from '../../contract/versions.ts';
import type { Creators, RecordVersions } from '../database/authorship.ts';
import { guardCommit } from '../database/commit-guard.ts';
import {
  type FieldProblem,
  forbidden,
  notFound,
  planRequired,
  rejected,
  rejectedFields,
  scopeMissing,
  unauthorized,
  unknownEndpoint,
} from '../errors.ts';
import { pathOfUnstorable, readBody, unstorable } from './body.ts';
import { asPerson, type Caller } from './caller.ts';
import { fieldMessage } from './field-messages.ts';
import { type CreatorOf, checkMember, isInTeam } from './member-check.ts';
import { grants, readScopes } from './scopes.ts';
import { editFrom, withVersion } from './versions.ts';

/** What a handler gets: everything is checked already. */
export type Call<E extends AnyEndpoint> = OwnId<IdsOf<E>> & CallOf<E>;

/** `call.id` is there where the path has an `:id`. */
type OwnId<Ids> = Ids extends { readonly id: number } ? { readonly id: number } : unknown;

interface CallOf<E extends AnyEndpoint> {
  /** The caller; on public endpoints there is none, and touching it is a bug that throws. */
  caller: Caller;
  /** The same where there may be none: on a public endpoint, the person who is signed in nevertheless. */
  asking: Caller | undefined;
  /** Every path parameter that is an id. */
  ids: IdsOf<E>;
  /** Path parameters that are not ids. */
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: IncomingMessage;
  context: Koa.Context;
  /** The client's network address. */
  address: string;
  /** Whether the caller may see a record of the account: some members see only what they created. */
  sees(resource: AuthoredKind, id: number): boolean;
  /** Whether the caller may edit a record of the account: contributors edit only what they created. */
  edits(resource: AuthoredKind, id: number): boolean;
  /** A record's version, for its reply, and in a team who created it and who changed it last. */
  marksOf(row: Marked): Marks;
  /**
   * Throws 401 or 403 when the key may not do this any more. A handler that reads the body itself calls it before what
   * arrived is put to use; JSON bodies are read before the handler begins.
   */
  checkStillAllowed(): void;
  /** The same as an answer, for what goes on after the request or beside it. */
  isStillAllowed(): boolean;
}

/** An endpoint with the function that answers it. */
export interface Route {
  endpoint: AnyEndpoint;
  answer(context: Koa.Context, caller: Caller | undefined, params: Record<string, string>): Promise<unknown>;
}

/**
 * Binds a handler to an endpoint of the contract. The handler returns the reply without `error`, or undefined when it
 * has answered the response by itself (streams). An endpoint that edits a record also says how its GET or its list `shows`
 * that record, for whoever has edited a version of it that is none any more.
 */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  handler: (call: Call<E>) => ReplyOf<E> | undefined | Promise<ReplyOf<E> | undefined>,
  shows?: (call: Call<E>) => object | Promise<object>,
): Route {
  const rule = teamRuleOf(endpoint);
  const record = editedRecordOf(endpoint);
  if ((record === undefined) !== (shows === undefined)) {
    throw new Error(`${endpoint.path} needs a function that shows the record that it edits`);
  }
  return {
    endpoint,
    async answer(context, asking, params) {
      const ids = readIds(endpoint, context.path);
      const admit = (asked: Caller) => admitted(endpoint, rule, asked, { ...params, ...ids }, context);
      let caller = asking && admit(asking);
      const checkAgain = () => {
        if (caller) caller = admit(callerAgain(context));
      };
      const enterWrite = context.state.enterWrite as (() => () => void) | undefined;
      let leaveWrite: (() => void) | undefined;
      const checkStillAllowed = () => {
        checkAgain();
        leaveWrite ??= enterWrite?.();
      };
      const named = readParams(endpoint, params);
      const query = parseWith(endpoint.query, storable({ ...context.query }));
      const hasJson = endpoint.method !== 'GET' && !endpoint.rawBody;
      const sent = hasJson ? await readBody(context) : {};
      // A body may take half a minute to arrive, and the key may have been revoked meanwhile (T-10).
      if (hasJson) checkAgain();
      const body = parseWith(endpoint.body, sent);
      if (hasJson) leaveWrite = enterWrite?.();
      const call = {
        get caller() {
          if (!caller) throw new Error(`${endpoint.path} is public and has no caller`);
          return caller;
        },
        get asking() {
          return caller;
        },
        id: ids.id,
        ids,
        params: named,
        query,
        body,
        request: context.req,
        context,
        address: context.state.address as string,
        sees: (resource: AuthoredKind, id: number) => sees(resource, id, caller, context),
        edits: (resource: AuthoredKind, id: number) => edits(resource, id, caller, context),
        marksOf: (row: Marked) => marksOf(row, caller, context),
        checkStillAllowed,
        isStillAllowed() {
          try {
            checkStillAllowed();
            return true;
          } catch {
            // Whatever the reason is: who is not known to be allowed is not.
            return false;
          }
        },
      };
      // Hashes, pictures and name servers take their time as well.
      try {
        // What was read above is what the endpoint says, which the compiler cannot follow.
        const asked = call as unknown as Call<E>;
        const work = async () => handler(asked);
        const guard = { check: checkStillAllowed, person: caller?.person.user.id };
        if (!record || !shows) return await guardCommit(guard, work);
        const key =
          record.params.length > 0 ? record.params.map((name) => ids[name] as number) : [call.caller.user.id];
        const versionOf = context.state.versionOf as RecordVersions;
        const edit = editFrom(context.get('If-Match'), sent, () => versionOf(record.resource, key));
        return await withVersion(edit, {
          answer: () => guardCommit({ ...guard, edit }, work),
          shown: async () => {
            checkStillAllowed();
            return shows(asked);
          },
        });
      } finally {
        leaveWrite?.();
      }
    },
  };
}

/** Whether a caller may see a record of the account: some members see only what they created. */
function sees(resource: AuthoredKind, id: number, caller: Caller | undefined, context: Koa.Context): boolean {
  if (!caller?.ownOnly) return true;
  const creatorOf = context.state.creatorOf as CreatorOf;
  return creatorOf(resource, id, caller.user.id) === caller.person.user.id;
}

/** Whether a caller may edit a record of the account, as their role is now. */
function edits(
  resource: AuthoredKind,
  id: number,
  caller: Caller | undefined,
  context: Koa.Context,
): boolean {
  if (!caller) return false;
  const power = powers[caller.role].edit;
  if (power !== 'own') return power;
  const creatorOf = context.state.creatorOf as CreatorOf;
  return creatorOf(resource, id, caller.user.id) === caller.person.user.id;
}

/** A record's columns of its edits. */
interface Marked {
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** Whoever works alone reads of no authors: there the answers are those of the published contract. */
function marksOf(row: Marked, caller: Caller | undefined, context: Koa.Context): Marks {
  const { version } = row;
  if (!caller || !isInTeam(caller)) return { version };
  const nameOf = context.state.nameOf as Creators['nameOf'];
  const person = (id: number | null | undefined) => {
    const name = id ? nameOf(id) : undefined;
    return name === undefined ? null : { id: id as number, name };
  };
  return { version, created_by: person(row.created_by), updated_by: person(row.updated_by) };
}

/** The caller as an endpoint serves them. Throws 403 or 404 when they may not do this. */
function admitted(
  endpoint: AnyEndpoint,
  rule: TeamRule,
  asking: Caller,
  params: Readonly<Record<string, string | number>>,
  context: Koa.Context,
): Caller {
  if (endpoint.access === 'public') return asPerson(asking);
  checkAccess(endpoint, asking);
  return checkMember(rule, asking, params, context.state.creatorOf as CreatorOf);
}

function checkAccess(endpoint: AnyEndpoint, caller: Caller): void {
  if (endpoint.access === 'admin' && !caller.person.user.admin) {
    throw forbidden('administrator_required', 'Only administrators of this instance can do this.');
  }
  // The pages of the instance are no API: sessions work on every plan.
  if (caller.key.kind !== 'session' && caller.plan.features.api?.enabled === false) throw planRequired('api');
  const scopes = readScopes(caller.key.scopes);
  const missing = neededScopes(endpoint).find((needed) => !grants(scopes, needed));
  if (missing !== undefined) throw scopeMissing(missing);
}

/** The caller as the database has it now. Throws 401 or 404 when there is none any more. */
function callerAgain(context: Koa.Context): Caller {
  const authenticateAgain = context.state.authenticateAgain as () => Caller | undefined;
  const caller = authenticateAgain();
  if (!caller) throw unauthorized();
  if (caller.refusal) throw caller.refusal;
  return caller;
}

/**
 * Every scope that an operation asks of a key, since powers follow what is reached; what only reads needs less. `full` is
 * more than any list of scopes.
 */
export function neededScopes(endpoint: AnyEndpoint): string[] {
  if (endpoint.reachesAll) return ['full'];
  if (endpoint.scope === undefined) return [];
  const own = `${endpoint.scope}:${endpoint.reads ? 'read' : 'write'}`;
  return [own, ...endpoint.alsoReads.map((resource) => `${resource}:read`)];
}

/**
 * Ids are positive integers in canonical decimal form; any other spelling is 404 (decision 0002). They are read from
 * the path as it came, because `%31` is another spelling that the router's parameters do not show.
 */
function readIds(endpoint: AnyEndpoint, path: string): Record<string, number> {
  const ids: Record<string, number> = {};
  const sent = path.split('/');
  for (const [index, segment] of endpoint.path.split('/').entries()) {
    const name = segment.slice(1);
    if (!segment.startsWith(':') || name in endpoint.params) continue;
    const text = sent[index] ?? '';
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(id)) throw notFound();
    ids[name] = id;
  }
  return ids;
}

/** Reads the parameters that are not ids. A word that the contract does not name is an unknown address: 404. */
function readParams(endpoint: AnyEndpoint, sent: Record<string, string>): Record<string, unknown> {
  const schemas = Object.entries(endpoint.params as Record<string, z.ZodType>);
  return Object.fromEntries(
    schemas.map(([name, schema]) => {
      const parsed = schema.safeParse(sent[name]);
      if (!parsed.success) throw unknownEndpoint();
      return [name, parsed.data];
    }),
  );
}

/** A query, held to the same texts as a body: NUL is the end of a search for whoever reads the statement. Throws 400. */
function storable<Query extends object>(query: Query): Query {
  const [field] = pathOfUnstorable(query) ?? [];
  if (field !== undefined) throw rejected('invalid_value', field, unstorable);
  return query;
}

/** The most values of an input all of whose faults are looked for: more than any form has fields. */
const mostLookedAt = 500;
/** The most fields that one refusal names. */
const mostNamed = 100;

/**
 * Parses input with a contract schema. Throws 400 that names every field at fault; of long input, as to describe ten
 * thousand faults takes 40 ms and a megabyte, it is read no further than to the first.
 */
export function parseWith<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = safelyParsed(schema, input);
  if (parsed.success) return parsed.data;
  throw rejectedFields(parsed.error.issues.slice(0, mostNamed).map((issue) => problemOf(issue, input)));
}

/** What remains of a number of values once those of an input are taken off; below 0 as soon as it has more. */
function valuesLeft(input: unknown, most: number): number {
  let left = most - 1;
  if (typeof input !== 'object' || input === null) return left;
  for (const value of Object.values(input)) {
    if (left < 0) break;
    left = valuesLeft(value, left);
  }
  return left;
}

function safelyParsed<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  // The library's own `validate` says so to its parser. Where that takes it no longer, the test of long requests fails.
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    error: fieldMessage,
    abortEarly: valuesLeft(input, mostLookedAt) < 0,
  };
  return safeParse(schema, input, context);
}

function problemOf(issue: z.core.$ZodIssue, input: unknown): FieldProblem {
  const field = issue.path.map(String).join('.') || 'body';
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') {
    const missing = valueAt(input, issue.path) === undefined;
    return missing
      ? { field, code: 'required', message: `Send the field ${field}.` }
      : {
          field,
          code: 'invalid_type',
          message: messageOfUnion(issue) ?? `The field ${field} has the wrong type.`,
        };
  }
  return { field, code: 'invalid_value', message: issue.message };
}

/** In a union only the branch that fits the type of the value has something to say to a person; it may be a union too. */
function messageOfUnion(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  for (const inner of issue.errors.flat()) {
    const isSilent = inner.code === 'invalid_type' || inner.code === 'invalid_value';
    const message =
      inner.code === 'invalid_union' ? messageOfUnion(inner) : isSilent ? undefined : inner.message;
    if (message !== undefined) return message;
  }
  return undefined;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
