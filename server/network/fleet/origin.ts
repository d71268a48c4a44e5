import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EngineReason } from '../../contract/fleet.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { certificateDesk } from './certificate-desk.ts';
import { edgeDesk } from './edges.ts';
import {
  asFailure,
  checkStreams,
  connectEngine,
  type Engine,
  type EngineAddress,
  EngineFailure,
  noRoom,
} from './engine.ts';
import { fileDesk } from './file-desk.ts';
import { type LimitKeeper, limitKeeper } from './limit-keeper.ts';
import { publisher } from './publisher.ts';
import { resting } from './resting.ts';
import type { FleetSession } from './session.ts';
import { sweepSnapshots } from './snapshots.ts';
import { keepReading } from './stream-reader.ts';
import {
  copyToAll,
  type EngineMetrics,
  measureStreams,
  prepareStreams,
  type Retention,
  trimClicks,
  watchStreams,
} from './streams.ts';
import { fleetWriter, type WriterOptions } from './writer.ts';

type OriginState = 'off' | 'connecting' | 'connected' | 'unreachable' | 'refused';

export interface OriginStatus {
  state: OriginState;
  /** Why it is not connected, or another problem, as a sentence; null if there is none. */
  problem: string | null;
  code: EngineFailure['code'] | null;
  reason: EngineReason | null;
  detail: string | null;
  position: number;
  epoch: number;
}

interface Options extends WriterOptions {
  address: EngineAddress;
  retention: Retention;
  /** Called when this start becomes the writer of the fleet. */
  onClaimed: () => void;
  publishing: Omit<Parameters<typeof publisher>[0], 'hasPublished'>;
  desk: Omit<Parameters<typeof edgeDesk>[0], 'onAsk'>;
  takeInShipped: (session: FleetSession) => Promise<void>;
  limits: Parameters<typeof limitKeeper>[0];
  files: Parameters<typeof fileDesk>[0];
  certificates: Pick<Certificates, 'served' | 'revision'>;
  /** Revokes all revoked edges in NATS. */
  cutOff: () => Promise<void>;
  /** How far a stream of clicks was taken in. */
  takenUntil: (stream: string) => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const retryMs = { first: 500, most: 15_000 };
const gatherMs = 20;
const lookMs = 5_000;
const renewMs = 10_000;
const checkMs = 60_000;
/** Changes that wait for an engine that is away; beyond them the next connection begins with a snapshot anyway. */
const mostWaiting = 100_000;
/** Messages of the stream of changes that a new edge reads at most. */
const mostMessages = 20_000;

/** The origin's connection to NATS: it reconnects automatically, and nothing ever waits for it. */
export function origin(options: Options) {
  const { address, seal, subjects, log, now } = options;
  const ending = new AbortController();
  const status: OriginStatus = {
    ...{ state: 'connecting', problem: null, code: null, reason: null, detail: null },
    ...{ position: 0, epoch: 0 },
  };
  let wakeUp = Promise.withResolvers<void>();
  let current: { tell: (id: number) => Promise<void>; engine: Engine; keeper: LimitKeeper } | undefined;
  /** Whether it ends together with counting limits, which another connection would resume. */
  let isLast = false;
  const writer = fleetWriter(options);
  let hasPublished = false;
  /** Why data is not replicated to all NATS servers; undefined if it is. */
  let uncopied: string | undefined;

  /** For a cluster where it never works, it is reported once. */
  async function copy(engine: Engine): Promise<void> {
    const failure = await copyToAll(engine, subjects).then(
      () => null,
      (error: Error) => error,
    );
    if (engine.connection.isClosed()) return;
    if (failure && failure.message !== uncopied)
      log.warn({ err: failure }, 'data on a single NATS server has not been replicated yet');
    uncopied = failure?.message;
  }

  async function session(engine: Engine): Promise<void> {
    await checkStreams(engine, address);
    await writer.holdLimits(engine);
    const hasRoom = await prepareStreams(engine, subjects, { ...options, takeOver: writer.takesOver() });
    await writer.claim(engine, true);
    writer.answer(engine);
    options.onClaimed();
    const shared = { engine, seal, subjects };
    const publishing = publisher({ ...options.publishing, hasPublished }, shared);
    await publishing.begin();
    hasPublished = true;
    let isAsked = false;
    // Changes wait for one, and edges may ask without end.
    const snapshots = resting(() => performance.now());
    const desk = edgeDesk(
      {
        ...options.desk,
        onAsk() {
          isAsked = true;
          wakeUp.resolve();
        },
      },
      { ...shared, publisher: publishing },
    );
    await desk.tellAll();
    await desk.shareSalts();
    const certificates = await certificateDesk(options.certificates, shared);
    const files = await fileDesk(options.files, shared);
    const keeper = limitKeeper(options.limits, shared);
    current = { tell: desk.tell, engine, keeper };
    Object.assign(status, { state: 'connected', problem: null, code: null, reason: null, detail: null });
    if (!hasRoom) {
      const { message, reason } = noRoom();
      // It continues with what fit.
      Object.assign(status, { problem: message, reason });
      log.warn(message);
    }
    log.info({ epoch: publishing.epoch() }, 'the fleet is connected');
    const look = await watchStreams(engine, subjects);
    let lookedAt = now();
    let renewedAt = now();
    let checkedAt = 0;

    engine.ended.addEventListener('abort', () => wakeUp.resolve());

    async function publish(): Promise<void> {
      while (!engine.connection.isClosed() && !ending.signal.aborted) {
        wakeUp = Promise.withResolvers();
        if (now() - lookedAt >= lookMs || now() < lookedAt) {
          await look();
          lookedAt = now();
        }
        while (await publishing.publishNext()) status.position = publishing.published();
        await publishing.sendSums();
        await certificates.share();
        if (isAsked && snapshots.mayBegin()) {
          await snapshots.run(publishing.offerSnapshot);
          isAsked = false;
        }
        Object.assign(status, { position: publishing.published(), epoch: publishing.epoch() });
        if (now() - renewedAt >= renewMs || now() < renewedAt) {
          await writer.claim(engine, false);
          renewedAt = now();
        }
        if (now() - checkedAt >= checkMs || now() < checkedAt) {
          await options.cutOff();
          // After a power failure, NATS may have forgotten the latest messages.
          await desk.tellAll();
          await desk.shareSalts();
          await copy(engine);
          await publishing.check(() => wakeUp.resolve());
          await publishing.renewSnapshot(mostMessages);
          // Leftovers there are harmless until the next time.
          await sweepSnapshots(engine, subjects.snapshots).catch((error: Error) => {
            if (!engine.connection.isClosed())
              log.warn({ err: error }, 'the snapshots in NATS could not be listed');
          });
          files.sweep();
          await trimClicks(engine, subjects, options.takenUntil);
          checkedAt = now();
        }
        await Promise.race([wakeUp.promise, pause(lookMs, undefined, { ref: false })]);
        await pause(gatherMs, undefined, { ref: false });
      }
    }

    // The session ends when the connection is lost or something in it failed.
    await Promise.race([
      publish(),
      Promise.all([desk.answer(), files.answer()]),
      keepReading(engine, () => options.takeInShipped(shared)),
      keepReading(engine, keeper.keep),
      engine.connection.closed(),
    ]);
  }

  async function run(): Promise<void> {
    let wait = retryMs.first;
    while (!ending.signal.aborted && !isLast) {
      let engine: Engine | undefined;
      const abort = () => void engine?.close();
      let begunAt = Number.POSITIVE_INFINITY;
      try {
        engine = await connectEngine(address, 'waypost-origin');
        ending.signal.addEventListener('abort', abort);
        if (ending.signal.aborted) abort();
        begunAt = now();
        await session(engine);
        if (!ending.signal.aborted)
          note(
            new EngineFailure('unreachable', 'The connection to the engine ended. Reconnecting.', {
              reason: 'ended',
            }),
          );
      } catch (error) {
        if (!ending.signal.aborted) note(asFailure(error, address));
      } finally {
        current = undefined;
        // Connections that end immediately are not retried immediately.
        if (now() - begunAt > retryMs.most) wait = retryMs.first;
        ending.signal.removeEventListener('abort', abort);
        await engine?.close().catch(() => {});
      }
      while (!ending.signal.aborted && options.publishing.logQueries.trim(mostWaiting)) await nextTurn();
      if (ending.signal.aborted) return;
      await pause(wait, undefined, { ref: false, signal: ending.signal }).catch(() => {});
      wait = Math.min(wait * 2, retryMs.most);
    }
  }

  function note(failure: EngineFailure): void {
    if (status.problem !== failure.message) log.warn({ err: failure.cause }, failure.message);
    const { code, detail, kind, message, reason } = failure;
    Object.assign(status, { state: kind, problem: message, code, reason, detail });
  }

  const running = run();
  return {
    status: (): OriginStatus => ({ ...status }),
    /** Through which limited links are counted; undefined while the engine cannot be reached. */
    session: (): FleetSession | undefined => current && { engine: current.engine, seal, subjects },
    /** To be called when something may have changed. */
    wake: () => wakeUp.resolve(),
    /** Sends an edge its permissions, if NATS is available; otherwise the next connection does. */
    tell: async (id: number): Promise<void> => current?.tell(id).catch(() => {}),
    /** The fleet's data in the engine; undefined while it is unreachable. */
    async metrics(): Promise<EngineMetrics | undefined> {
      if (!current) return undefined;
      try {
        return await measureStreams(current.engine, subjects);
      } catch {
        // It became unreachable meanwhile, which the state will show.
        return undefined;
      }
    },
    async lastSequence(): Promise<number | undefined> {
      try {
        return (await current?.engine.manager.streams.info(subjects.changes.stream))?.state.last_seq;
      } catch {
        return undefined;
      }
    },
    /**
     * Call it before it stops permanently: edges then no longer answer limited links, and the clicks that they took
     * are stored. Rejects if NATS cannot be reached.
     */
    async closeLimits(): Promise<void> {
      isLast = true;
      if (!current) throw new Error('there is no connection to the engine');
      await current.keeper.close();
    },
    async stop(): Promise<void> {
      ending.abort();
      wakeUp.resolve();
      await running;
    },
  };
}

export type Origin = ReturnType<typeof origin>;
