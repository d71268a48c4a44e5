import type { Logger } from 'pino';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import { type AuthoredResource, authoredResources, recordsByPath } from '../../contract/roles.ts';
import { boundedCache } from '../concurrency/bounded-cache.ts';
import type { Connection } from '../database/connect.ts';
import { authoredTables } from '../database/edited-tables.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Caller } from '../http/caller.ts';
import { actorOf } from './actor.ts';
import type { AuditQueries } from './queries.ts';

/** What can happen to records: the second part of an action's name. */
export const recordVerbs = [
  'created',
  'updated',
  'deleted',
  'restored',
  'imported',
  'changed',
  'undone',
] as const;
/** The event for each bulk action on links; other bulk actions count as changes. */
const bulkVerbs: Readonly<Record<string, Verb>> = {
  delete: 'deleted',
  purge: 'deleted',
  restore: 'restored',
};

type Verb = (typeof recordVerbs)[number];

/** Whether an action is an event of a record. */
export function isRecordAction(action: string): boolean {
  const [kind, verb, ...rest] = action.split('.');
  const isKind = authoredResources.some((known) => known === kind);
  return isKind && recordVerbs.some((known) => known === verb) && rest.length === 0;
}

/** What an endpoint does to an account's records. */
export interface RecordAction {
  kind: AuthoredResource;
  verb: Verb;
  /** The path parameter that identifies the record. */
  param?: string;
}

const verbs: Readonly<Record<string, Verb>> = {
  update: 'updated',
  order: 'updated',
  delete: 'deleted',
  restore: 'restored',
};

/** Endpoints that change records under differently structured paths. */
const others: Readonly<Record<string, RecordAction>> = {
  'POST /api/files/upload/:filename': { kind: 'files', verb: 'created' },
  'POST /api/urls/import': { kind: 'links', verb: 'imported' },
  'POST /api/urls/bulk': { kind: 'links', verb: 'changed' },
  'POST /api/undo/:id': { kind: 'links', verb: 'undone' },
  'POST /api/campaign/:campaignid/assign/:linkid': {
    kind: 'campaigns',
    verb: 'updated',
    param: 'campaignid',
  },
  'POST /api/campaign/:campaignid/unassign/:linkid': {
    kind: 'campaigns',
    verb: 'updated',
    param: 'campaignid',
  },
  'POST /api/channel/:channelid/assign/:type/:itemid': {
    kind: 'channels',
    verb: 'updated',
    param: 'channelid',
  },
  'POST /api/channel/:channelid/unassign/:type/:itemid': {
    kind: 'channels',
    verb: 'updated',
    param: 'channelid',
  },
};

/** What an endpoint does to an account's records; undefined if nothing. */
export function recordActionOf({
  method,
  path,
}: Pick<AnyEndpoint, 'method' | 'path'>): RecordAction | undefined {
  const [, first = '', end = ''] = /^\/api\/([a-z]+)\/(add|:id\/[a-z]+)$/.exec(path) ?? [];
  const kind = recordsByPath[first];
  const verb = end === 'add' ? 'created' : verbs[end.slice(':id/'.length)];
  if (method === 'GET' || kind === undefined || kind === 'cases' || verb === undefined) {
    return others[`${method} ${path}`];
  }
  return verb === 'created' ? { kind, verb } : { kind, verb, param: 'id' };
}

/** A request that changed something. */
interface Done {
  caller: Caller;
  address: string;
  body: Readonly<Record<string, unknown>>;
  reply: unknown;
}

export interface RecordActivity {
  /**
   * Call this before the request is answered; the function it returns logs the event. Undefined if there is nothing to
   * log.
   */
  begin(
    endpoint: AnyEndpoint,
    params: Readonly<Record<string, string>>,
    caller: Caller,
  ): ((done: Done) => void) | undefined;
}

interface Options {
  database: Connection;
  queries: Pick<AuditQueries, 'insert' | 'setSeveral'>;
  transactions: Pick<Transactions, 'provisionally'>;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

/** Repetitions of one action by the same actor. */
interface Run {
  /** The entry that is being updated. */
  id: number;
  startedAt: number;
  entries: number;
  record: number | undefined;
  count: number;
}

const runMs = 600_000;
/**
 * A program may create thousands of records an hour: this many in a row get their own entries, the rest are counted in
 * one.
 */
const mostSingle = 20;
/** Half of the runs kept in memory. */
const runsAtOnce = 250;

/** Columns that identify a record to people. */
const nameColumns: Partial<Record<AuthoredResource, string>> = {
  links: 'alias',
  domains: 'host',
  webhooks: 'url',
};

/**
 * Logs changes that requests made to accounts' records, after they are done. These entries are not synced to disk: a
 * power failure may lose the last ones, and a change never fails because its entry cannot be written (decision 0100).
 */
export function recordActivity(options: Options): RecordActivity {
  const { database, queries, transactions, now, log } = options;
  const runs = boundedCache<string, Run>(runsAtOnce);
  const names = new Map(
    Object.entries(authoredTables).map(([kind, { table }]) => {
      const column = nameColumns[kind as AuthoredResource] ?? 'name';
      const sql = `SELECT ${column} FROM ${table} WHERE id = ? AND (user_id = ? OR user_id IS NULL)`;
      return [kind, database.prepare<[number, number], string>(sql).pluck()];
    }),
  );
  const nameOf = (kind: AuthoredResource, id: number, account: number) => {
    const name = names.get(kind)?.get(id, account);
    // The rest of a webhook's URL may contain a secret.
    return kind === 'webhooks' && name !== undefined ? URL.parse(name)?.host : name;
  };

  function write(action: RecordAction, id: number | undefined, name: string | undefined, done: Done): void {
    const { caller, body, reply } = done;
    const record = id ?? idIn(reply);
    const count = countOf(action.verb, body, reply);
    if (count === 0 || body.dryrun === true) return;
    const { kind } = action;
    const verb = verbOf(action.verb, body, reply);
    // A requested link that already existed.
    if (verb === undefined) return;
    const title =
      name ??
      (record === undefined ? undefined : nameOf(kind, record, caller.user.id)) ??
      (typeof body.name === 'string' ? body.name : undefined);
    const actor = actorOf({ caller, address: done.address });
    const key = [actor.accountId, actor.userId, actor.keyId, kind, verb].join(' ');
    const at = now();
    const last = runs.get(key);
    const run = last && at - last.startedAt < runMs ? last : undefined;
    // Repeated saves are one edit; a record that is deleted again was restored in between.
    if (run && verb === 'updated' && record !== undefined && run.record === record) return;
    // The parts of one import arrive in sequence.
    const isCounted = run && (verb === 'imported' || run.entries >= mostSingle);
    if (isCounted) {
      run.count += count ?? 1;
      run.record = undefined;
      queries.setSeveral(run.id, JSON.stringify({ count: run.count }));
      return;
    }
    const entry = queries.insert({
      at,
      action: `${kind}.${verb}`,
      userId: caller.user.id,
      actorId: actor.userId,
      actor: actor.name,
      keyId: actor.keyId,
      keyName: actor.keyName,
      address: actor.address,
      details: JSON.stringify(
        count === undefined ? { ...(title && { title: title.slice(0, 200) }) } : { count },
      ),
      kind,
      ...(count === undefined && { record }),
    });
    const written = { id: entry, record, count: count ?? 1 };
    if (run) Object.assign(run, written, { entries: run.entries + 1 });
    else runs.set(key, { ...written, startedAt: at, entries: 1 });
  }

  return {
    begin(endpoint, params, caller) {
      const action = recordActionOf(endpoint);
      if (!action) return undefined;
      const id = action.param === undefined ? undefined : Number(params[action.param]);
      // The name is unknown once the record is deleted.
      const name = id === undefined ? undefined : nameOf(action.kind, id, caller.user.id);
      return (done) => {
        try {
          transactions.provisionally(() => write(action, id, name, done));
        } catch (error) {
          // None of these may be updated as if its entry still existed.
          runs.clear();
          log.error({ err: error }, 'an entry of the activity log could not be written');
        }
      };
    },
  };
}

function verbOf(verb: Verb, body: Done['body'], reply: unknown): Verb | undefined {
  if (verb === 'changed') return bulkVerbs[String(body.action)] ?? verb;
  if (verb !== 'created' || (reply as { existing?: unknown })?.existing !== true) return verb;
  return body.ifexists === 'update' ? 'updated' : undefined;
}

/** The import's results for rows that created or updated a link. */
const created = new Set(['create', 'rename', 'replace']);

/** How many records were affected, if more than the one in the path or response. */
function countOf(verb: Verb, body: Done['body'], reply: unknown): number | undefined {
  const { data } = (reply ?? {}) as {
    data?: { rows?: { outcome: string }[]; counts?: { done: number } };
  };
  if (verb === 'imported') return data?.rows?.filter(({ outcome }) => created.has(outcome)).length ?? 0;
  if (verb !== 'changed') return undefined;
  // Background work is counted by what was requested.
  if (body.background === true) return Array.isArray(body.ids) ? body.ids.length : undefined;
  return data?.counts?.done ?? 0;
}

function idIn(reply: unknown): number | undefined {
  const { id, data } = (reply ?? {}) as { id?: unknown; data?: { id?: unknown } };
  const found = id ?? data?.id;
  return typeof found === 'number' ? found : undefined;
}
