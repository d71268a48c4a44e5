import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { asFailure, connectEngine, type Engine, type EngineFailure } from './engine.ts';
import { follow, type ReplicaProblem } from './follower.ts';
import { isRevoked } from './join.ts';
import type { Membership } from './membership.ts';
import type { EdgeReport } from './messages.ts';
import type { Replicas } from './replicas.ts';
import type { FleetSeal } from './seal.ts';
import { checkFleet } from './streams.ts';
import type { FleetSubjects } from './subjects.ts';

interface Options {
  membership: Membership;
  seal: FleetSeal;
  subjects: FleetSubjects;
  replicas: Replicas;
  version: string;
  /** Number of the newest migration of this program. */
  schema: number;
  addresses: () => string[];
  /** Requests since the start. */
  requests: () => number;
  onRevoked: () => void;
  /** Called with a certificate; its content is encrypted. */
  onCertificate: (subject: string, sealed: Uint8Array) => void;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const reportMs = 2_000;
/** The clicks of a moment are sent in one message. */
const gatherMs = 200;
const retryMs = { first: 500, most: 15_000 };

/** An edge's connection to NATS: it reconnects automatically, and visitors never wait for it. */
export function edgeConnection(options: Options) {
  const { membership, seal, subjects, replicas, now, log } = options;
  const ending = new AbortController();
  let wakeShipping = Promise.withResolvers<void>();
  let problem: ReplicaProblem | null = null;
  /** Why the engine takes no clicks; undefined while it does. */
  let refusal: EngineFailure | undefined;
  let current: Engine | undefined;
  let edges = 1;

  async function ship(engine: Engine): Promise<void> {
    engine.ended.addEventListener('abort', () => wakeShipping.resolve());
    while (!engine.connection.isClosed()) {
      wakeShipping = Promise.withResolvers();
      if (replicas.waiting() > 0) await checkFleet(engine, subjects, membership.fleet);
      try {
        await replicas.ship({ engine, seal, subjects }, membership.id);
        refusal = undefined;
      } catch (error) {
        if (engine.connection.isClosed()) throw error;
        // A full stream accepts no clicks: they wait here, and changes are still received.
        const failure = asFailure(error, membership);
        if (failure.message !== refusal?.message) log.warn({ err: error }, failure.message);
        refusal = failure;
      }
      await Promise.race([wakeShipping.promise, pauseFor(reportMs)]);
      await pauseFor(gatherMs);
    }
  }

  async function report(engine: Engine): Promise<void> {
    let last = { at: now(), requests: options.requests() };
    while (!engine.connection.isClosed()) {
      const at = replicas.position();
      const seconds = Math.max(0.001, (now() - last.at) / 1000);
      const requests = options.requests();
      const content: EdgeReport = {
        installation: membership.installation,
        version: options.version,
        addresses: options.addresses().slice(0, 20),
        rate: Math.max(0, Math.round(((requests - last.requests) / seconds) * 10) / 10),
        epoch: at?.epoch ?? 0,
        position: at?.position ?? 0,
        sequence: at?.sequence ?? 0,
        waiting: replicas.waiting(),
        lost: replicas.lost(),
        ...reported(problem, refusal),
        at: now(),
      };
      last = { at: now(), requests };
      const subject = subjects.report(membership.id);
      engine.connection.publish(subject, seal.seal(JSON.stringify(content), subject));
      await pause(reportMs, undefined, { ref: false, signal: engine.ended }).catch(() => {});
    }
  }

  async function session(engine: Engine): Promise<void> {
    await checkFleet(engine, subjects, membership.fleet);
    const following = follow(
      {
        id: membership.id,
        installation: membership.installation,
        schema: options.schema,
        replica: replicas,
        onRevoked: options.onRevoked,
        onCertificate: options.onCertificate,
        onEdges(count) {
          edges = count;
        },
        onProblem(found) {
          if (found !== null && found !== problem) log.warn(found.message);
          problem = found;
        },
        log,
      },
      { engine, seal, subjects },
    );
    await Promise.race([following, ship(engine), report(engine)]);
  }

  async function run(): Promise<void> {
    const { url, user, password, credentials, id } = membership;
    let wait = retryMs.first;
    let told = '';
    while (!ending.signal.aborted) {
      let engine: Engine | undefined;
      const end = () => void engine?.close();
      let begunAt = Number.POSITIVE_INFINITY;
      const isLong = () => now() - begunAt > retryMs.most;
      try {
        engine = await connectEngine({ url, user, password, credentials }, `waypost-edge-${id}`);
        ending.signal.addEventListener('abort', end);
        if (ending.signal.aborted) return;
        current = engine;
        begunAt = now();
        await session(engine);
        if (isLong()) told = '';
      } catch (error) {
        if (isLong()) told = '';
        const { kind, message } = asFailure(error, { url });
        // An edge that was offline when it was revoked is rejected without an explanation.
        if (kind === 'refused' && (await isRevoked(membership, options.version))) options.onRevoked();
        if (message !== told && !ending.signal.aborted) log.warn({ err: error }, message);
        told = message;
      } finally {
        current = undefined;
        // Connections that end immediately are not retried immediately.
        if (isLong()) wait = retryMs.first;
        ending.signal.removeEventListener('abort', end);
        await engine?.close().catch(() => {});
      }
      await pause(wait, undefined, { ref: false, signal: ending.signal }).catch(() => {});
      wait = Math.min(wait * 2, retryMs.most);
    }
  }

  const running = run();
  return {
    isConnected: () => current !== undefined,
    engine: () => current,
    /** Edges of the fleet, as far as this one has heard. */
    edges: () => edges,
    /** To be called when clicks were recorded. */
    wake: () => wakeShipping.resolve(),
    async stop(): Promise<void> {
      ending.abort();
      wakeShipping.resolve();
      await running;
    },
  };
}

export type EdgeConnection = ReturnType<typeof edgeConnection>;

/** The edge's most important problem, for the origin: an outdated replica, before waiting clicks. */
function reported(problem: ReplicaProblem | null, refusal: EngineFailure | undefined) {
  if (problem !== null) return { problem: problem.message, reason: problem.reason };
  if (!refusal) return { problem: null, reason: null };
  const { message, reason } = refusal;
  const isRoom = reason === 'clicks_full' || reason === 'no_room';
  return { problem: message.slice(0, 500), reason: isRoom ? reason : ('failed' as const) };
}

function pauseFor(ms: number): Promise<void> {
  return pause(ms, undefined, { ref: false });
}
