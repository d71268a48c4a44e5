import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { output, ZodType } from 'zod';
import type { EditInfo } from '../../contract/edit-info.ts';
import type { AnyEndpoint, BodyOf, IdsOf, ParamsOf, QueryOf, ReplyOf } from '../../contract/endpoint.ts';
import { type Authored as AuthoredKind, teamRuleOf } from '../../contract/roles.ts';
import { editedRecordOf } from '../../contract/versions.ts';
import type { RecordVersions } from '../database/authorship.ts';
import { guardCommit } from '../database/commit-guard.ts';
import { admitted, callerAgain, type EditedRow, editInfoOf, edits, sees } from './admission.ts';
import { readBody } from './body.ts';
import type { Caller } from './caller.ts';
import { parseWith, readIds, readParams, storable } from './input.ts';
import { type CreatorOf, checkThere } from './member-check.ts';
import { editFrom, withVersion } from './versions.ts';

/** What a handler receives; everything has been validated. */
export type Call<E extends AnyEndpoint> = OwnId<IdsOf<E>> & CallOf<E>;

/** `call.id` exists if the path has an `:id`. */
type OwnId<Ids> = Ids extends { readonly id: number } ? { readonly id: number } : unknown;

interface CallOf<E extends AnyEndpoint> {
  /** The caller; public endpoints have none, and accessing it there is a bug that throws. */
  caller: Caller;
  /** The same if there may be none: on a public endpoint, the signed-in person, if any. */
  asking: Caller | undefined;
  /** All path parameters that are ids. */
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
  /** A record's version for the response and, in a team, who created it and who changed it last. */
  editInfoOf(row: EditedRow): EditInfo;
  /**
   * Throws 401 or 403 if the key no longer has permission. Handlers that read the body themselves call it before using
   * the data; JSON bodies are read before the handler starts.
   */
  checkStillAllowed(): void;
  /** The same as a boolean, for work after or alongside the request. */
  isStillAllowed(): boolean;
}

/** An endpoint with its handler. */
export interface Route {
  endpoint: AnyEndpoint;
  answer(context: Koa.Context, caller: Caller | undefined, params: Record<string, string>): Promise<unknown>;
}

/**
 * Binds a handler to an endpoint of the contract. The handler returns the response without `error`, or undefined if it
 * has answered itself (streams). An endpoint that edits a record also defines how its GET or list `shows` that record,
 * for conflict responses. Errors from `admits`, 404 or 403, precede errors in the body or query, which it does not
 * see.
 */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  handler: (call: Call<E>) => ReplyOf<E> | undefined | Promise<ReplyOf<E> | undefined>,
  shows?: (call: Call<E>) => object | Promise<object>,
  admits?: (call: Pick<CallOf<E>, 'caller' | 'ids'>) => void,
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
      const parsed = <Schema extends ZodType>(schema: Schema, sent: unknown): output<Schema> => {
        try {
          return parseWith(schema, sent);
        } catch (error) {
          if (caller && endpoint.access !== 'public') {
            checkThere(rule, caller, { ...params, ...ids }, context.state.creatorOf as CreatorOf);
            admits?.({ caller, ids: ids as unknown as IdsOf<E> });
          }
          throw error;
        }
      };
      const query = parsed(endpoint.query, storable({ ...context.query }));
      const hasJson = endpoint.method !== 'GET' && !endpoint.rawBody;
      const isArriving = !context.req.complete;
      const nextTurn = context.state.nextTurn as () => Promise<void>;
      const sent = hasJson ? await readBody(context, nextTurn) : {};
      // Bodies of many connections may become complete at the same moment.
      if (hasJson && isArriving) await nextTurn();
      // A body may take half a minute to arrive, and the key may have been revoked meanwhile (T-10).
      if (hasJson) checkAgain();
      const body = parsed(endpoint.body, sent);
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
        editInfoOf: (row: EditedRow) => editInfoOf(row, caller, context),
        checkStillAllowed,
        isStillAllowed() {
          try {
            checkStillAllowed();
            return true;
          } catch {
            // Whatever the reason, permission that cannot be confirmed is denied.
            return false;
          }
        },
      };
      // Hashes, pictures and name servers take time as well.
      try {
        // The values were read as the endpoint declares, which the compiler cannot infer.
        const asked = call as unknown as Call<E>;
        const work = async () => handler(asked);
        const guard = { check: checkStillAllowed, person: caller?.person.user.id };
        if (!record || !shows) return await guardCommit(guard, work);
        const key =
          record.params.length > 0 ? record.params.map((name) => ids[name] as number) : [call.caller.user.id];
        const versionOf = context.state.versionOf as RecordVersions;
        const edit = editFrom(context.req.headers['if-match'], sent, () => versionOf(record.resource, key));
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
