import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EdgeReason } from '../../contract/fleet.ts';
import { isDiskFull } from '../../platform/database/disk-space.ts';
import {
  checkForm,
  edgeState,
  readMessage,
  type SnapshotState,
  saltState,
  snapshotState,
} from './messages.ts';
import { partCollector, readMark } from './parts.ts';
import type { ReplicaPosition } from './replica-records.ts';
import type { FleetSession } from './session.ts';
import { keepReading, readStream } from './stream-reader.ts';
import { isStreamLost, latest } from './streams.ts';
import type { ArrivedUnit } from './unit-body.ts';

/** What an edge answers from, as the follower writes it. */
export interface FollowedReplica {
  /** The state that it represents; undefined while there is none. */
  position(): ReplicaPosition | undefined;
  /** Decodes a unit; undefined if invalid. Rejects if the worker thread ended. */
  read(packed: Uint8Array): Promise<ArrivedUnit | undefined>;
  /** Puts a unit in place, all of it or nothing. */
  apply(unit: ArrivedUnit, sequence: number): Promise<void>;
  /** Starts again with a snapshot. */
  replace(snapshot: SnapshotState): Promise<void>;
  /**
   * The current checksums of its tables, or undefined if it is not at this position. Changes can be applied meanwhile.
   * Rejects if the replica cannot be read.
   */
  checksums(position: number): Promise<{ sums: Promise<Record<string, string>> } | undefined>;
  shareSalt(day: number, salt: Buffer): void;
}

/** Why a replica is not up to date: in a sentence, and for programs. */
export interface ReplicaProblem {
  message: string;
  reason: Extract<EdgeReason, 'update' | 'disk_full'>;
}

const updateNeeded: ReplicaProblem = {
  message: 'The origin runs a newer version. Update this edge; it goes on with what it has.',
  reason: 'update',
};
const diskFull: ReplicaProblem = {
  message:
    'The disk of this edge has no room for a new copy of the links. Free some space; until then the edge uses the copy that it has.',
  reason: 'disk_full',
};

interface Options {
  id: number;
  installation: string;
  /** Number of the newest migration of this program. */
  schema: number;
  replica: FollowedReplica;
  /** Called with the number of edges in the fleet, including this one. */
  onEdges: (count: number) => void;
  /** Called with a certificate; its content is encrypted. */
  onCertificate: (subject: string, sealed: Uint8Array) => void;
  /** Called when this edge was revoked permanently. */
  onRevoked: () => void;
  /** Called with the reason why the replica is not up to date; null if it is. */
  onProblem: (problem: ReplicaProblem | null) => void;
  log: Pick<Logger, 'info' | 'warn'>;
}

const unreadable = 'the replica cannot be read and is replaced';
/** How often an edge asks for a snapshot until there is one: the origin may sleep when it does. */
const askMs = 5_000;
/** The maximum delay between attempts to get a usable snapshot: the origin creates one for each. */
const mostWaitMs = 300_000;

/** Why a replica cannot apply the next message. */
type Stop = 'gap' | 'epoch' | 'differs' | 'ended';

/** Keeps a replica in step with the origin, through one connection to the engine, until that ends. */
export async function follow(options: Options, { engine, seal, subjects }: FleetSession): Promise<void> {
  const { replica, log, onProblem } = options;
  let snapshot: SnapshotState | undefined;
  let news = Promise.withResolvers<void>();
  /** The snapshot that was taken last: the same one again would change nothing. */
  let taken: string | undefined;
  const closed = engine.connection.closed();
  /** The checksums of this replica at a position, for those of the origin that are to come. */
  let own: { epoch: number; position: number; sums: Promise<Record<string, string>> } | undefined;
  /** Subjects of edges that answer. */
  const joined = new Set<string>();

  /** What NATS lost is published again by the origin. */
  async function unlessLost<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      if (await isStreamLost(error)) return undefined;
      throw error;
    }
  }

  async function watchState(): Promise<void> {
    const { DeliverPolicy } = await import('@nats-io/jetstream');
    const { state } = subjects;
    const from = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: state.all };
    for await (const { subject, data } of readStream(engine, state.stream, from)) {
      const body = seal.open(data, subject);
      if (subject.startsWith(state.edges)) countEdge(subject, body);
      if (subject === state.edge(options.id)) {
        const own = readMessage(edgeState, body);
        if (own?.state === 'revoked' || (own?.installation && own.installation !== options.installation)) {
          options.onRevoked();
        }
      } else if (subject.startsWith(state.salts)) {
        const shared = readMessage(saltState, body);
        if (shared)
          replica.shareSalt(Number(subject.slice(state.salts.length)), Buffer.from(shared.salt, 'base64'));
      } else if (subject.startsWith(state.certificates)) {
        options.onCertificate(subject, data);
      } else if (subject === state.snapshot) {
        snapshot = readMessage(snapshotState, body) ?? snapshot;
        news.resolve();
      }
    }
  }

  /** Only the origin writes such states: there are as many as it has edges. */
  function countEdge(subject: string, body: Buffer | undefined): void {
    if (readMessage(edgeState, body)?.state === 'joined') joined.add(subject);
    else joined.delete(subject);
    options.onEdges(Math.max(1, joined.size));
  }

  /** Waits for a snapshot that helps, asking the origin for one where the newest does not, and takes it. */
  async function takeSnapshot(isUsable: (offered: SnapshotState) => boolean): Promise<void> {
    let failures = 0;
    for (let tries = 0; !engine.connection.isClosed(); tries += 1) {
      news = Promise.withResolvers();
      const offered = snapshot;
      if (offered && offered.name !== taken && isUsable(offered)) {
        if (offered.schema > options.schema) {
          onProblem(updateNeeded);
        } else {
          const failure = await replaceBy(offered);
          if (failure === undefined) return;
          failures += 1;
          // A damaged snapshot stays damaged. A local problem affects the next one as well, so that may take its time.
          ask();
          const wait = Math.min(askMs * 2 ** (failures - 1), mostWaitMs);
          const change = failures === 1 ? [news.promise] : [];
          await Promise.race([...change, pause(wait, undefined, { ref: false }), closed]);
          continue;
        }
      } else if (offered || tries > 0) {
        // If none is offered after a while, the engine lost it.
        ask();
      }
      await Promise.race([news.promise, pause(askMs, undefined, { ref: false }), closed]);
    }
  }

  const ask = (): void => engine.connection.publish(subjects.ask, seal.seal('snapshot', subjects.ask));

  /** Takes a snapshot; resolves to why it could not be taken. */
  async function replaceBy(offered: SnapshotState): Promise<Error | undefined> {
    try {
      await replica.replace(offered);
    } catch (error) {
      // The next connection delivers it again.
      if (engine.connection.isClosed()) throw error;
      if (isDiskFull(error)) onProblem(diskFull);
      log.warn({ err: error }, 'a snapshot could not be used; the origin is asked for another one');
      return error as Error;
    }
    taken = offered.name;
    onProblem(null);
    return undefined;
  }

  /** Applies messages one after the other until one of them cannot be. */
  async function readChanges(from: ReplicaPosition): Promise<Stop> {
    const { DeliverPolicy } = await import('@nats-io/jetstream');
    const { changes } = subjects;
    const { state } = await engine.manager.streams.info(changes.stream);
    const newest = await latest(engine, subjects.state.stream, subjects.state.snapshot);
    const offered = readMessage(snapshotState, newest && seal.open(newest.data, subjects.state.snapshot));
    // A NATS server that lost its data restarts its numbering, and may reach the same number again.
    if (from.sequence > state.last_seq || (offered && offered.epoch > from.epoch)) return 'epoch';
    // Of a stream whose messages are all too old, the first is the one that comes next.
    if (from.sequence + 1 < state.first_seq) return 'gap';
    const differing = new AbortController();
    const messages = readStream(engine, changes.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from.sequence + 1,
      most: 200,
      signal: differing.signal,
    });
    const parts = partCollector();
    for await (const message of messages) {
      const mark = readMark(message.headers);
      const sealed = mark && parts.add(mark, message.data);
      // The rest of it comes with later messages.
      if (mark && !sealed) continue;
      const body = mark && sealed && (await seal.openInTurns(sealed, mark.kind));
      if (!body) {
        log.warn('a message from another fleet was ignored');
        continue;
      }
      if (differing.signal.aborted) break;
      const stop =
        mark.kind === 'unit' ? await takeUnit(body, message.seq) : await takeCheck(body, differing);
      if (stop) return stop;
    }
    return differing.signal.aborted ? 'differs' : 'ended';
  }

  async function takeUnit(body: Buffer, sequence: number): Promise<Stop | undefined> {
    let unit: ArrivedUnit | undefined;
    try {
      unit = await replica.read(body);
    } catch (error) {
      // The next connection reads it again.
      if (engine.connection.isClosed()) throw error;
      log.warn({ err: error }, 'a change could not be read; a new snapshot has it, too');
      return 'differs';
    }
    const at = replica.position();
    if (!unit || !at || unit.epoch < at.epoch) return undefined;
    if (unit.epoch > at.epoch) return 'epoch';
    if (unit.to <= at.position) return undefined;
    if (unit.from > at.position) return 'gap';
    if (unit.schema > options.schema) {
      onProblem(updateNeeded);
      return 'gap';
    }
    try {
      await replica.apply(unit, sequence);
    } catch (error) {
      // Of a damaged replica it never will, however often it is tried.
      log.warn({ err: error }, 'a change could not be applied to the replica, which is replaced');
      return 'differs';
    }
    onProblem(null);
    return undefined;
  }

  /**
   * Starts computing the checksums of this replica, or compares the result and reports differences to `differing`.
   * Changes continue meanwhile.
   */
  async function takeCheck(body: Buffer, differing: AbortController): Promise<Stop | undefined> {
    const check = readMessage(checkForm, body);
    const at = replica.position();
    if (!check || !at) return undefined;
    if (check.epoch > at.epoch) return 'epoch';
    if (check.epoch < at.epoch) return undefined;
    // Of what changed before a snapshot that all take, no unit comes.
    if (check.position > at.position) return 'gap';
    if (check.schema !== options.schema) return undefined;
    const { epoch, position, sums, isAnnounced = false } = check;
    const hasSums = Object.keys(sums).length > 0;
    const isSummed = own?.epoch === epoch && own.position === position;
    if (!isSummed && position === at.position && (hasSums || isAnnounced)) {
      try {
        const found = await replica.checksums(position);
        own = found && { epoch, position, ...found };
        // Set by the comparison, if there is one.
        own?.sums.catch(() => {});
      } catch (error) {
        log.warn({ err: error }, unreadable);
        return 'differs';
      }
    }
    if (hasSums && own?.epoch === epoch && own.position === position) {
      void compare(sums, own.sums, differing);
      own = undefined;
    }
    return undefined;
  }

  async function compare(
    theirs: Record<string, string>,
    ours: Promise<Record<string, string>>,
    differing: AbortController,
  ): Promise<void> {
    try {
      const found = await ours;
      const tables = Object.keys(theirs).filter((table) => theirs[table] !== found[table]);
      if (tables.length === 0) return;
      log.warn({ tables }, 'the replica differs from the origin and is replaced');
    } catch (error) {
      // The next connection compares again.
      if (engine.connection.isClosed()) return;
      log.warn({ err: error }, unreadable);
    }
    differing.abort();
  }

  async function keepUp(): Promise<void> {
    await keepReading(engine, async () => {
      if (!replica.position()) await takeSnapshot(() => true);
      // Later changes are read immediately: a new edge reports that it can serve.
      const at = replica.position();
      if (!at) return;
      const stop = await unlessLost(() => readChanges(at));
      if (stop === undefined || stop === 'ended') return;
      const now = replica.position() ?? at;
      const before = snapshot?.name;
      log.info({ reason: stop, position: now.position }, 'the edge takes a new snapshot');
      // Differences at the same position are repaired by a later snapshot.
      if (stop === 'differs') await takeSnapshot(({ name }) => name !== before);
      else await takeSnapshot(({ epoch, position }) => epoch !== now.epoch || position > now.position);
    });
  }

  const watching = keepReading(engine, () => unlessLost(watchState));
  await Promise.race([watching, keepUp(), closed]);
}
