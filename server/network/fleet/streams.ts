import { randomBytes } from 'node:crypto';
import type { StreamConfig } from '@nats-io/jetstream';
import { type Engine, EngineFailure } from './engine.ts';
import { borrowRoom, hasRoomFor, makeCopies, makeStream } from './stream-room.ts';
import { descriptionOf, type FleetSubjects } from './subjects.ts';

/** How much of what passed the engine keeps. */
export interface Retention {
  bytes: number;
  hours: number;
}

const mostLimitedLinks = 2_000_000;
const nanosPerHour = 3_600_000_000_000;

/**
 * Creates or updates the fleet's streams; false if NATS has less space than requested, and streams keep their size. In
 * a cluster, each stream is on all three servers. Throws EngineFailure if another fleet owns them, unless they are to
 * be taken over.
 */
export async function prepareStreams(
  engine: Engine,
  { changes, state, clicks, limits, files }: FleetSubjects,
  { fleet, retention, takeOver }: { fleet: string; retention: Retention; takeOver: boolean },
): Promise<boolean> {
  const { manager, connection } = engine;
  const { bytes, hours } = retention;
  const counting = (await countingThere(engine, limits, fleet)) ?? randomBytes(8).toString('hex');
  const { RetentionPolicy, StorageType, DiscardPolicy } = await import('@nats-io/jetstream');
  const description = descriptionOf(fleet);
  const shared = { description, storage: StorageType.File, retention: RetentionPolicy.Limits };
  const wanted: (Partial<StreamConfig> & { name: string })[] = [
    {
      ...shared,
      name: changes.stream,
      subjects: [changes.all],
      max_bytes: bytes,
      max_age: hours * nanosPerHour,
      discard: DiscardPolicy.Old,
    },
    { ...shared, name: state.stream, subjects: [state.all], max_msgs_per_subject: 1 },
    // Where it is full, links that were never counted before are not answered by edges; none is forgotten.
    {
      ...shared,
      name: limits.stream,
      subjects: limits.open(counting),
      max_msgs_per_subject: 1,
      max_msgs: mostLimitedLinks,
      discard: DiscardPolicy.New,
    },
    // A full stream rejects new clicks: edges keep them until the origin has processed those in the stream.
    { ...shared, name: clicks.stream, subjects: [clicks.all], max_bytes: bytes, discard: DiscardPolicy.New },
  ];
  let isWhole = true;
  let giveBack: (() => Promise<void>) | undefined;

  /** A stream without enough space keeps its size. */
  async function update(config: Partial<StreamConfig> & { name: string }, former: number): Promise<void> {
    const grow = () => manager.streams.update(config.name, config);
    if (await hasRoomFor(grow)) return;
    giveBack ??= await borrowRoom(manager, files.stream);
    if (giveBack && (await hasRoomFor(grow))) return;
    isWhole = false;
    await manager.streams.update(config.name, { ...config, max_bytes: former });
  }

  try {
    for (const config of wanted) {
      const found = await findStream(manager, config.name);
      const isOurs = found?.description === description;
      if (found && !isOurs) {
        if (!takeOver) throw takenByAnother();
        await manager.streams.delete(config.name);
      }
      if (found && isOurs) await update(config, found.max_bytes);
      else if (
        !(await makeCopies(connection, (num_replicas) => makeStream(manager, { ...config, num_replicas })))
      )
        isWhole = false;
    }
  } finally {
    // Also if a stream could not be created: otherwise the files' reservation would be lost to them.
    await giveBack?.();
  }
  return isWhole;
}

/** The current replication factor: three, if there are three servers, so that one may be lost. */
function copiesOf({ info }: Engine['connection']): 1 | 3 {
  return info?.cluster !== undefined && (info.connect_urls?.length ?? 0) > 2 ? 3 : 1;
}

/** All that a fleet has in its engine. */
const streamsOf = ({ changes, state, clicks, limits, files, snapshots }: FleetSubjects): string[] => [
  ...[state, changes, limits, clicks, files].map(({ stream }) => stream),
  `OBJ_${snapshots}`,
];

/**
 * Returns a check that throws EngineFailure once a stream is deleted or recreated: its readers would wait for messages
 * that never come, and its data must be published again.
 */
export async function watchStreams(
  { manager }: Engine,
  subjects: FleetSubjects,
): Promise<() => Promise<void>> {
  const names = streamsOf(subjects);
  const createdOf = async (stream: string) => (await manager.streams.info(stream)).created;
  const before = await Promise.all(names.map(createdOf));
  // During a leader election a stream does not respond, which is not a loss.
  const unknown = Symbol('unknown');
  return async () => {
    const found = await Promise.all(
      names.map((stream) =>
        createdOf(stream).catch(async (error: unknown) =>
          (await isStreamLost(error)) ? undefined : unknown,
        ),
      ),
    );
    const lost = names.find((_, index) => found[index] !== unknown && found[index] !== before[index]);
    if (lost === undefined) return;
    const detail = `it lost the stream ${lost}, which is made again`;
    throw new EngineFailure('unreachable', `The fleet cannot use the engine: ${detail}.`, {
      reason: 'failed',
      detail,
    });
  };
}

/** Whether NATS reports that a requested stream does not exist. */
export async function isStreamLost(error: unknown): Promise<boolean> {
  const { JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream');
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/**
 * Replicates everything to all three servers, once there are three: a fleet may start while one is down, or before
 * others join. Rejects if NATS cannot be configured.
 */
export async function copyToAll({ connection, manager }: Engine, subjects: FleetSubjects): Promise<void> {
  const num_replicas = copiesOf(connection);
  if (num_replicas === 1) return;
  for (const stream of streamsOf(subjects)) {
    const { config } = await manager.streams.info(stream);
    if (config.num_replicas < num_replicas) await manager.streams.update(stream, { num_replicas });
  }
}

/** Explains what to do if NATS belongs to another fleet. */
export function takenByAnother(): EngineFailure {
  return new EngineFailure(
    'refused',
    'Another server writes this fleet: another instance, a copy of this data folder, or one that was restored elsewhere. Stop it, or take the fleet over under Settings, Fleet.',
    { code: 'fleet_taken', reason: 'taken' },
  );
}

/**
 * The name of the counting period there; undefined if machines must not continue with what they know: the stream is not
 * this fleet's, or the origin has yet to write the used counts.
 */
async function countingThere(
  engine: Engine,
  limits: FleetSubjects['limits'],
  fleet: string,
): Promise<string | undefined> {
  const found = await findStream(engine.manager, limits.stream);
  if (found?.description !== descriptionOf(fleet)) return undefined;
  const counting = limits.countingOf(found.subjects);
  return counting && (await latest(engine, limits.stream, limits.ready)) ? counting : undefined;
}

/** The configuration of a stream; undefined if there is none. */
async function findStream(manager: Engine['manager'], name: string) {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (await isStreamLost(error)) return undefined;
    throw error;
  }
}

/** Whether NATS has the streams of another fleet. */
export async function isTaken(
  { manager }: Engine,
  { changes }: FleetSubjects,
  fleet: string,
): Promise<boolean> {
  const found = await findStream(manager, changes.stream);
  return found !== undefined && found.description !== descriptionOf(fleet);
}

/**
 * Throws EngineFailure if NATS belongs to another fleet by now: it would accept an edge's clicks, and its origin could
 * not read them.
 */
export async function checkFleet(engine: Engine, subjects: FleetSubjects, fleet: string): Promise<void> {
  if (!(await isTaken(engine, subjects, fleet))) return;
  throw new EngineFailure(
    'refused',
    'The engine holds another fleet than this edge joined. The edge goes on with what it has and keeps its clicks. To move it, add it to that fleet and start it with the new token in an empty folder.',
    { code: 'fleet_taken', reason: 'taken' },
  );
}

/** Deletes processed clicks, so that new ones fit. */
export async function trimClicks(
  { manager }: Engine,
  { clicks }: FleetSubjects,
  takenUntil: (stream: string) => number,
): Promise<void> {
  const { config, created, state } = await manager.streams.info(clicks.stream);
  const taken = takenUntil(created);
  if (state.bytes > config.max_bytes / 2 && taken >= state.first_seq) {
    await manager.streams.purge(clicks.stream, { seq: taken + 1 });
  }
}

/** Whether the engine has a stream of a fleet. */
export async function hasStream({ manager }: Engine, stream: string, fleet: string): Promise<boolean> {
  return (await findStream(manager, stream))?.description === descriptionOf(fleet);
}

/** The newest message of a subject; undefined if there is none. */
export async function latest(engine: Engine, stream: string, subject: string) {
  const found = await engine.manager.streams.getMessage(stream, { last_by_subj: subject });
  return found ?? undefined;
}

/** What the engine keeps of a fleet. */
export interface EngineMetrics {
  servers: number;
  streams: number;
  bytes: number;
  /** When the oldest change that it keeps was published, in milliseconds of its clock; null if it keeps none. */
  oldest: number | null;
}

/** Measures the fleet's streams. All are asked at once: an engine far away takes half a second for each answer. */
export async function measureStreams(engine: Engine, subjects: FleetSubjects): Promise<EngineMetrics> {
  const names = streamsOf(subjects);
  const states = await Promise.all(
    names.map(async (name) => (await engine.manager.streams.info(name)).state),
  );
  const changes = states[names.indexOf(subjects.changes.stream)];
  return {
    servers: Math.max(1, engine.connection.info?.connect_urls?.length ?? 1),
    streams: names.length,
    bytes: states.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: changes && changes.messages > 0 ? Date.parse(changes.first_ts) : null,
  };
}
