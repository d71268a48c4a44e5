import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { spareTime } from '../../platform/concurrency/spare-time.ts';
import { openReader } from '../../platform/database/connect.ts';
import { writeWhole } from '../../platform/database/disk.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { type Databases, openDatabases } from '../../platform/database/open.ts';
import { DatabaseRefused, isDamage } from '../../platform/database/refused.ts';
import { transactions } from '../../platform/database/transactions.ts';
import { dayMs } from '../../visits/clicks/dimensions.ts';
import { type EntryLog, entryLog } from './entry-log.ts';
import type { FollowedReplica } from './follower.ts';
import { counted, type Generation, keepSalt, type ReplicaApp, waitingOf } from './generation.ts';
import { highestIds, type LogNames, type LogState, logNames, logNamesFile } from './log-names.ts';
import type { SnapshotState } from './messages.ts';
import type { ReplicaBuilder } from './replica-builder.ts';
import { logOf, versionOf } from './replica-folder.ts';
import { applyRecords, readPosition, writePosition } from './replica-records.ts';
import type { FleetSession } from './session.ts';
import { clickLog } from './shipper.ts';
import { type ArrivedUnit, mostRecordsInPlace, readUnit, sizeOf } from './unit-body.ts';

interface Options {
  folder: string;
  fleet: string;
  migrations: Migration[];
  builder: ReplicaBuilder;
  openApp: (databases: Databases, forms: EntryLog['forms']) => ReplicaApp;
  /** Called when visitors sent form entries. */
  onEntry: () => void;
  /** Called when files may have been deleted. */
  onFiles: () => void;
  /** Fetches a snapshot into a file. */
  fetchSnapshot: (name: string, file: string) => Promise<void>;
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'info' | 'error'>;
}

export interface Replicas extends FollowedReplica {
  /** The active replica; undefined until there is one. */
  app(): ReplicaApp | undefined;
  /** Clicks, and entries of forms, that are not shipped yet. */
  waiting(): number;
  /** Clicks that were answered since the start and could not be written, because the disk is full. */
  lost(): number;
  /** Whether a content belongs to a file of the active replica; true while there is none. */
  hasContent(storage: string): boolean;
  /** Ships what waits, of replaced replicas first, which are then removed. */
  ship(session: FleetSession, edge: number): Promise<void>;
  close(): Promise<void>;
}

/** Names the replica that answers. */
const currentFile = 'current';
const prefix = 'replica-';
/** Data saved from a damaged replica, until that is complete. */
const draftPrefix = 'salvage-';
/** How long a replaced replica may finish its requests. */
const finishMs = 15_000;

/**
 * The replicas of an edge: one is active, and long operations build another one, which replaces it between two
 * requests (decision 0081). A replica is a data folder like the origin's, and keeps its clicks until they are sent.
 */
export async function openReplicas(options: Options): Promise<Replicas> {
  const { folder, fleet, migrations, builder, now, log } = options;
  const schema = migrations.at(-1)?.version ?? 0;
  const salts = new Map<number, Buffer>();
  /** Replaced replicas, with their remaining clicks. */
  const former: Generation[] = [];
  /** Names of those no longer in use. */
  const finished = new Set<string>();
  let current: Generation | undefined;
  /** The current replacement: the next starts when it is done, whichever connection delivered it. */
  let placing: Promise<unknown> = Promise.resolve();
  const pathOf = (name: string) => join(folder, name);
  const all = () => (current ? [...former, current] : [...former]);
  const waiting = () => all().reduce((sum, generation) => sum + waitingOf(generation), 0);
  /** Those of replicas that are gone. */
  let lostBefore = 0;
  const lost = () => all().reduce((sum, { app }) => sum + app.lostClicks(), lostBefore);
  const time = spareTime({ monotonic: options.monotonic, waiting });

  /** Without room for the file, there is none for clicks. */
  function beginName(names: LogNames, state: LogState): void {
    try {
      names.begin(state);
    } catch (err) {
      log.error({ err }, 'The log of clicks continues under the name that it had: the disk took no new one.');
    }
  }

  /** `isContinued` if an earlier start already answered from it. */
  function open(name: string, isContinued = false): Generation {
    const databases = openDatabases({ folder: pathOf(name), migrations, newId: randomUUID, now });
    try {
      const { instanceId, main } = databases;
      for (const connection of [main, databases.clicks]) connection.pragma('foreign_keys = 0');
      for (const [day, salt] of salts) keepSalt(databases, day, salt);
      const names = logNames(pathOf(name), instanceId);
      const clicks = clickLog(databases.clicks, names.ofClicks, readPosition(main)?.epoch ?? 0);
      const entries = entryLog({ connection: main, nameOf: names.ofEntries, onEntry: options.onEntry });
      if (isContinued) {
        const isShipped = clicks.waiting() === 0 && entries.waiting() === 0;
        beginName(names, { ...highestIds(main), isShipped });
      }
      const content = main.prepare<[string], { size: number }>('SELECT size FROM files WHERE storage = ?');
      const { app, visitors } = counted(options.openApp(databases, entries.forms));
      return {
        ...{ name, databases, app, clicks, entries, visitors },
        hasContent: (storage) => content.get(storage) !== undefined,
      };
    } catch (error) {
      databases.close();
      throw error;
    }
  }

  /** Opens the replicas in the folder. Damaged ones are set aside and replaced by a new snapshot. */
  async function openAll(): Promise<void> {
    const file = join(folder, currentFile);
    const answering = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    // What fetching or saving that was cut short left.
    for (const name of readdirSync(folder)) {
      const isLeft = name.startsWith('snapshot-') || name.startsWith(draftPrefix);
      if (isLeft) rmSync(join(folder, name), { recursive: true, force: true });
    }
    for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
      try {
        if (!existsSync(join(pathOf(name), 'instance.json'))) {
          // Its building was cut short.
          rmSync(pathOf(name), { recursive: true, force: true });
        } else if (name === answering && versionOf(pathOf(name)) === schema) {
          current = open(name, true);
        } else {
          if (name === answering) await renew(name);
          former.push(open(name));
          finished.add(name);
        }
      } catch (error) {
        if (!(error instanceof DatabaseRefused) && !isDamage(error)) throw error;
        await setAside(name, error);
      }
    }
  }

  /**
   * Saves the unshipped data of a damaged replica into one that only ships it, and keeps the damaged one for people.
   */
  async function setAside(name: string, error: Error): Promise<void> {
    const [draft, saved, aside] = [
      `${draftPrefix}${randomUUID()}`,
      `${prefix}${randomUUID()}`,
      `damaged-${now()}-${name}`,
    ];
    let saving: Awaited<ReturnType<ReplicaBuilder['salvage']>> | undefined;
    try {
      saving = await builder.salvage(pathOf(name), pathOf(draft), logOf(pathOf(name)));
      const names = join(pathOf(name), logNamesFile);
      if (existsSync(names)) copyFileSync(names, join(pathOf(draft), logNamesFile));
    } catch (cause) {
      // On a full disk, for instance: an intact replica is still used, and nothing of the damaged one is deleted.
      log.error({ err: cause }, `What ${name} had not shipped could not be saved; it is kept in ${aside}.`);
    }
    const { kept, lost } = saving ?? { kept: 0, lost: 0 };
    // In this order: cut short in between, both are there under the name of one log, and the origin counts it once.
    if (kept > 0) renameSync(pathOf(draft), pathOf(saved));
    else rmSync(pathOf(draft), { recursive: true, force: true });
    renameSync(pathOf(name), pathOf(aside));
    if (kept > 0) {
      former.push(open(saved));
      finished.add(saved);
    }
    const counts = saving
      ? ` Of clicks and form entries that it had not shipped, ${kept} could be read and are shipped, ${lost} could not.`
      : '';
    const said = `A replica is damaged and was set aside as ${aside}; a new one is fetched.${counts}`;
    log.error({ err: error }, said);
  }

  /** A log that cannot be read must not keep those behind it from being shipped. */
  async function shipOne(generation: Generation, session: FleetSession, edge: number): Promise<void> {
    try {
      while (await generation.entries.ship(session, edge)) await pause(0);
      // Visitors who come now go first: their clicks are in the log, and wait there as well as in the engine.
      let load = time.othersLoad();
      while (await generation.clicks.ship(session, edge, time)) {
        const rest = { signal: session.engine.ended, ref: false };
        await pause(time.restAfter(load), undefined, rest).catch(() => {});
        load = time.othersLoad();
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      await afterOthers(async () => {
        // The one that answers goes first, if its records can be read; otherwise a snapshot will take its place.
        if (generation === current) await rebuild(generation);
        // It is closed when nothing uses it any more; sending its clicks reopens it.
        if (!former.includes(generation) || generation.visitors() > 0) return;
        former.splice(former.indexOf(generation), 1);
        finished.delete(generation.name);
        // Writing on close may hit the damaged part.
        await generation.app.close().catch(() => {});
        await setAside(generation.name, error);
      });
    }
  }

  async function rebuild({ databases }: Generation): Promise<void> {
    const at = readPosition(databases.main);
    if (at) await replaceBy((target) => builder.build({ folder: target, source: databases.file, at }));
  }

  /** An updated program has another schema: the data is copied into a replica with that schema. */
  async function renew(name: string): Promise<void> {
    const source = join(pathOf(name), 'waypost.sqlite');
    const connection = openReader(source);
    const at = readPosition(connection);
    connection.close();
    if (at) await replaceBy((target) => builder.build({ folder: target, source, at }));
  }

  /** Builds a replica, and replaces the active one with it. */
  async function replaceBy(build: (target: string) => Promise<void>): Promise<void> {
    const name = `${prefix}${randomUUID()}`;
    try {
      await build(pathOf(name));
    } catch (error) {
      rmSync(pathOf(name), { recursive: true, force: true });
      throw error;
    }
    const before = current;
    current = open(name);
    writeWhole(join(folder, currentFile), `${name}\n`);
    options.onFiles();
    if (!before) return;
    former.push(before);
    setTimeout(() => finished.add(before.name), finishMs).unref();
  }

  /** One at a time: concurrent ones would build on a replica that is about to be replaced. */
  function afterOthers<Result>(place: () => Promise<Result>): Promise<Result> {
    const placed = placing.then(place);
    placing = placed.catch(() => {});
    return placed;
  }

  const positionNow = () => current && readPosition(current.databases.main);

  async function replace({ name, epoch, position, sequence }: SnapshotState): Promise<void> {
    // A unique name: an ended connection may still be working on another.
    const source = join(folder, `snapshot-${randomUUID()}.sqlite`);
    try {
      await options.fetchSnapshot(name, source);
      await afterOthers(async () => {
        const before = positionNow();
        const isOlder =
          before && (epoch < before.epoch || (epoch === before.epoch && position < before.position));
        // Another connection was faster, and is further ahead.
        if (isOlder) return;
        const at = { fleet, epoch, position, sequence };
        await replaceBy((target) => builder.build({ folder: target, source, at }));
        log.info({ epoch, position }, 'the edge answers from a new snapshot');
      });
    } finally {
      rmSync(source, { force: true });
    }
  }

  /** Applies a unit in sequence, and once. */
  async function place(unit: ArrivedUnit, sequence: number): Promise<void> {
    const before = positionNow();
    if (!current || !before) throw new Error('there is no replica that a unit could be applied to');
    if (unit.epoch !== before.epoch || unit.from > before.position || unit.to <= before.position) return;
    const { main, file } = current.databases;
    const at = { fleet, epoch: unit.epoch, position: unit.to, sequence };
    if (!('tables' in unit) || sizeOf(unit) > mostRecordsInPlace) {
      await replaceBy((target) => builder.build({ folder: target, source: file, at, unit }));
      return;
    }
    // What a power failure loses is received again, since the position is stored with it.
    transactions(main).provisionally(() => {
      applyRecords(main, unit.tables);
      writePosition(main, at);
    });
    if (unit.tables.settings) current.app.reloadSettings();
    if (unit.tables.files) options.onFiles();
  }

  async function removeFinished(): Promise<void> {
    for (const generation of [...former]) {
      if (!finished.has(generation.name) || generation.visitors() > 0 || waitingOf(generation) > 0) continue;
      former.splice(former.indexOf(generation), 1);
      finished.delete(generation.name);
      lostBefore += generation.app.lostClicks();
      await generation.app.close();
      rmSync(pathOf(generation.name), { recursive: true, force: true });
    }
  }

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await openAll();

  return {
    app: () => current?.app,
    position: positionNow,
    hasContent: (storage) => current === undefined || current.hasContent(storage),
    waiting,
    lost,
    replace,

    read: (packed) => readUnit(packed, builder.unit),

    apply: (unit, sequence) => afterOthers(() => place(unit, sequence)),

    checksums: async (position) => current && (await builder.checksums(current.databases.file, position)),

    shareSalt(day, salt) {
      const today = Math.floor(now() / dayMs);
      if (day >= today && day <= today + 2) salts.set(day, salt);
      for (const known of [...salts.keys()]) if (known < today) salts.delete(known);
      if (current && salts.has(day)) keepSalt(current.databases, day, salt);
    },

    async ship(session, edge) {
      for (const generation of all()) await shipOne(generation, session, edge);
      await removeFinished();
    },

    async close() {
      await placing;
      for (const { app } of all()) await app.close();
    },
  };
}
