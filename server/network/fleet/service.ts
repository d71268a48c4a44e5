import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { BodyOf } from '../../contract/endpoint.ts';
import type {
  addEdge,
  EngineReason,
  FleetEdge,
  ShownFleet,
  testFleet,
  updateFleet,
} from '../../contract/fleet.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, Refusal, rejected } from '../../platform/errors.ts';
import { isBehindFor, problemOf, stateOf, type Unreadable } from './edge-states.ts';
import { cutOffCommand, edgeSigner, SignerRefused, tryOperator } from './edge-users.ts';
import type { HeardReport } from './edges.ts';
import {
  asFailure,
  checkStreams,
  connectEngine,
  type Engine,
  type EngineAddress,
  type EngineFailure,
  readAddresses,
} from './engine.ts';
import type { Origin, OriginStatus } from './origin.ts';
import type { FleetQueries } from './queries.ts';
import { addressOf, type FleetChange, type FleetSettings, type FleetStore, lockedFleet } from './settings.ts';
import { type EngineMetrics, isTaken, takenByAnother } from './streams.ts';
import { fleetSubjects } from './subjects.ts';
import { hashOfSecret, writeToken } from './token.ts';

interface Options {
  store: FleetStore;
  queries: FleetQueries;
  /** The connection to NATS; undefined while the fleet is off. */
  running: () => Origin | undefined;
  /** Changes what is stored, and starts or stops accordingly, also on errors; nothing else starts meanwhile. */
  restart: (takeOver: boolean, change: () => Promise<void>) => Promise<void>;
  /** The configured public URL; undefined if there is none. */
  baseUrl: () => string | null;
  reports: ReadonlyMap<number, HeardReport>;
  /** Since when edges are seen to be behind. */
  behindSince: ReadonlyMap<number, number>;
  /** What came in the name of edges and could not be read, by the edge. */
  unreadable: ReadonlyMap<number, Unreadable>;
  /** Revokes all revoked edges in NATS, if it can be reached. */
  cutOff: () => Promise<void>;
  transactions: Transactions;
  audit: AuditLog;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

const tokenMs = 3_600_000;
/**
 * How long, and how often, an accepting NATS server is asked whether it stores streams: for as long as the rest of a
 * cluster takes to elect a leader, and within clients' timeouts. Nobody answers what was asked before there is one.
 */
const choosingMs = 10_000;
const askedMs = 1_500;
const againMs = 250;
/** An edge reports every few seconds: after this it is away. */
const awayMs = 15_000;
/** Edges of a fleet at most; revoked ones count. */
const mostEdges = 200;
const locked: OriginStatus = {
  state: 'refused',
  problem: lockedFleet,
  code: 'fleet_taken',
  reason: 'locked',
  detail: null,
  position: 0,
  epoch: 0,
};
const keyRefused =
  'The engine does not accept this signing key. Use signing.key of the same folder as origin.creds.';
const unclosed =
  'The engine could not be told that limited links are no longer counted there. Edges that reach it keep answering them.';
const unknownMetrics: EngineMetrics = { servers: 0, streams: 0, bytes: 0, oldest: null };
const off: OriginStatus = {
  ...{ state: 'off', problem: null, code: null, reason: null, detail: null },
  ...{ position: 0, epoch: 0 },
};

/** The fleet as administrators see it (decision 0080). */
export function fleetService(options: Options) {
  const { store, queries, running, transactions, audit, now } = options;

  async function show(present: (at: number) => string): Promise<ShownFleet> {
    const settings = store.find();
    const origin = running();
    const { oldest, ...sums } = (await origin?.metrics()) ?? unknownMetrics;
    const engine = { ...sums, oldest: oldest === null ? null : present(oldest) };
    const { enabled = false, url = null, user = null, edgeuser = null } = settings ?? {};
    const signin = settings ? signInOf(settings) : 'none';
    const status = origin?.status() ?? (store.isLocked() ? locked : off);
    const keys = {
      signingkey: typeof settings?.signingkey === 'string',
      operatorkey: typeof settings?.operatorkey === 'string',
    };
    return { enabled, url, user, signin, edgeuser, ...keys, engine, ...status };
  }

  /** Tests new settings. Throws 400 with what is missing. */
  async function check(settings: FleetSettings, takeOver: boolean): Promise<void> {
    const { url } = settings;
    if (url === null) throw rejected('fleet_unreachable', 'url', 'Enter the address of the engine.');
    if (!readAddresses(url)) {
      const form = 'Enter an address such as nats://engine.example.com:4222, without a user in it.';
      throw failed('fleet_unreachable', 'url', form, { reason: 'address', detail: null });
    }
    await tryEngine(addressOf(settings), 'url', (engine) => checkOrigin(engine, settings, takeOver));
    if (settings.edgeuser !== null) {
      const { edgeuser: user, edgepassword } = settings;
      await tryEngine({ url, user, password: edgepassword ?? undefined }, 'edgeuser');
    }
    await checkKeys(settings, url);
  }

  /** Tests the keys that create and revoke edges' users. */
  async function checkKeys(settings: FleetSettings, url: string): Promise<void> {
    try {
      const signer = await edgeSigner(settings);
      if (signer) await tryEngine({ url, credentials: await signer.probe(now()) }, 'signingkey');
      if (signer) await tryOperator(settings, signer.account);
    } catch (error) {
      if (!(error instanceof SignerRefused)) throw error;
      throw rejected('fleet_unreachable', error.field, error.message);
    }
  }

  /** A cluster that just lost a server does not respond until it has elected a leader. */
  async function checkOrigin(engine: Engine, settings: FleetSettings, takeOver: boolean): Promise<void> {
    const address = addressOf(settings);
    const until = performance.now() + choosingMs;
    for (;;) {
      try {
        await checkStreams(engine, address);
        if (!takeOver && (await isTaken(engine, fleetSubjects, settings.fleet))) throw takenByAnother();
        return;
      } catch (error) {
        const isOver = engine.connection.isClosed() || performance.now() > until;
        if (isOver || asFailure(error, address).kind === 'refused') throw error;
      }
      await pause(againMs);
    }
  }

  /** Signs in, and runs further checks. Throws 400 with the problem. */
  async function tryEngine(
    address: EngineAddress,
    field: 'url' | 'edgeuser' | 'signingkey',
    ask: (engine: Engine) => Promise<void> = async () => {},
  ): Promise<void> {
    try {
      const name = field === 'url' ? 'waypost-test' : 'waypost-edge-test';
      const engine = await connectEngine(address, name, askedMs);
      try {
        await ask(engine);
      } finally {
        await engine.close();
      }
    } catch (error) {
      const { code, detail, kind, message, reason } = asFailure(error, address);
      if (field === 'signingkey' && kind === 'refused') throw rejected(code, field, keyRefused);
      throw failed(code, field, message, { reason, detail });
    }
  }

  function checkBaseUrl(): void {
    if (options.baseUrl() !== null) return;
    throw rejected(
      'baseurl_needed',
      'enabled',
      'A fleet needs a public URL. Enter it in the settings first.',
    );
  }

  /**
   * Before this server counts limited links alone, or through another NATS server: edges of this one would continue
   * counting there.
   */
  async function closeLimits(): Promise<void> {
    try {
      await running()?.closeLimits();
    } catch (err) {
      options.log.warn({ err }, unclosed);
    }
  }

  return {
    show,

    async update({ takeover = false, ...given }: BodyOf<typeof updateFleet>, actor: Actor): Promise<void> {
      const tryChange = async (current: FleetSettings | undefined): Promise<FleetSettings> => {
        const next = store.changed(current, definedOf(given));
        if (!next.enabled) return next;
        checkBaseUrl();
        await check(next, takeover);
        return next;
      };
      // The current settings would be lost with the first change.
      if (!takeover && store.isLocked()) throw rejected('fleet_taken', 'enabled', lockedFleet);
      const found = store.find();
      const tried = await tryChange(found);
      await options.restart(takeover, async () => {
        // Another change may have been stored while this one was tested and waited.
        const stored = store.find();
        const next = isDeepStrictEqual(stored, found) ? tried : await tryChange(stored);
        if (stored && leavesEngine(stored, next)) await closeLimits();
        transactions.atomically(() => {
          store.store(next);
          // Changes while it is off are not recorded, so edges have to start again.
          if (!next.enabled || stored?.enabled !== true) queries.forget();
          audit.note(actor, 'fleet.updated', { settings: Object.keys(given) }, null);
        });
      });
    },

    async test(given: BodyOf<typeof testFleet>): Promise<void> {
      await check(store.changed(store.find(), definedOf(given)), false);
    },

    async edges(present: (at: number) => string): Promise<FleetEdge[]> {
      const lastSequence = (await running()?.lastSequence()) ?? 0;
      const { epoch, position } = running()?.status() ?? off;
      const settings = store.find();
      return queries.edges().map((row) => {
        const heard = options.reports.get(row.id);
        const isHere = heard !== undefined && now() - heard.heardAt < awayMs;
        const isCurrent =
          isHere && heard.epoch === epoch && heard.position >= position && !isBehindFor(heard);
        // A revoked edge is given nothing any more.
        const isLate = heard !== undefined && !isCurrent && row.revoked_at === null;
        return {
          id: row.id,
          name: row.name,
          region: row.region,
          version: heard?.version ?? null,
          // Written here only.
          addresses: heard?.addresses ?? (JSON.parse(row.addresses) as string[]),
          since: row.joined_at === null ? null : present(row.joined_at),
          rate: isHere ? heard.rate : 0,
          lag: {
            // Messages that only let an edge verify its data do not advance its position.
            messages: isLate ? Math.max(0, lastSequence - heard.sequence) : 0,
            ms: isLate ? Math.max(0, now() - (options.behindSince.get(row.id) ?? now())) : 0,
          },
          waiting: heard?.waiting ?? 0,
          lost: heard?.lost ?? 0,
          state: stateOf(row, isHere, isCurrent),
          ...problemOf(heard, options.unreadable.get(row.id), now()),
          cutoff: settings ? cutOffCommand(settings, row) : null,
        };
      });
    },

    async addEdge({ name, region = '' }: BodyOf<typeof addEdge>, actor: Actor) {
      const settings = store.find();
      if (!settings?.enabled || settings.url === null) {
        throw rejected('fleet_off', undefined, 'The fleet is off. Turn it on before you add an edge.');
      }
      const { edgeuser, edgepassword, fleet, key, url } = settings;
      const signer = await edgeSigner(settings);
      if (!signer && (edgeuser === null || edgepassword === null)) {
        throw rejected(
          'edge_user_needed',
          'edgeuser',
          'First enter a signing key, or the engine user that edges sign in as.',
        );
      }
      if (queries.edges().length >= mostEdges) {
        throw rejected(
          'too_many_edges',
          undefined,
          `A fleet has ${mostEdges} edges at most, revoked ones included.`,
        );
      }
      const secret = randomUUID();
      const at = now();
      const id = transactions.atomically(() => {
        const made = queries.addEdge({
          ...{ name, region, tokenHash: hashOfSecret(secret), expires_at: at + tokenMs, created_at: at },
        });
        audit.note(actor, 'fleet.edge_added', { name }, null);
        return made;
      });
      void running()?.tell(id);
      const token = writeToken({
        ...{ v: 1, fleet, key, url, id, name, secret },
        ...(signer
          ? { credentials: await signer.forJoining(id, at) }
          : { user: edgeuser ?? '', password: edgepassword ?? '' }),
        expires: at + tokenMs,
      });
      return { id, token, command: `waypost edge --join ${token} --host 0.0.0.0 --port 80 --https-port 443` };
    },

    revoke(id: number, actor: Actor): void {
      const row = queries.edge(id);
      if (!row) throw notFound('Edge');
      transactions.atomically(() => {
        if (queries.revoke(id, now())) audit.note(actor, 'fleet.edge_revoked', { name: row.name }, null);
      });
      // It is notified first: NATS is about to reject it.
      void Promise.resolve(running()?.tell(id))
        .catch(() => {})
        .then(options.cutOff);
    },
  };
}

export type FleetService = ReturnType<typeof fleetService>;

/** Whether a change turns the fleet off, or moves it to a different NATS server. */
function leavesEngine(current: FleetSettings, next: FleetSettings): boolean {
  if (!current.enabled || current.url === null) return false;
  if (!next.enabled || next.url === null) return true;
  const known = readAddresses(current.url) ?? [];
  return readAddresses(next.url)?.some((address) => known.includes(address)) !== true;
}

function signInOf({ user, token, credentials }: FleetSettings): ShownFleet['signin'] {
  if (credentials !== null) return 'credentials';
  if (token !== null) return 'token';
  return user === null ? 'none' : 'user';
}

/** 400 with the reason in addition to its message. */
function failed(
  code: EngineFailure['code'],
  field: string,
  message: string,
  why: { reason: EngineReason; detail: string | null },
): Refusal {
  return new Refusal(400, message, { code, field, data: why });
}

function definedOf<Given extends object>(given: Given): FleetChange {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
