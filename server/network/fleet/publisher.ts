import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Engine } from './engine.ts';
import { type checkForm, readMessage, type SnapshotState, snapshotState } from './messages.ts';
import type { OriginReader } from './origin-reader.ts';
import { publishParts, readMark } from './parts.ts';
import type { FleetLogQueries, FleetQueries } from './queries.ts';
import type { FleetSeal } from './seal.ts';
import { hasSnapshot, putSnapshot } from './snapshots.ts';
import { latest } from './streams.ts';
import type { FleetSubjects } from './subjects.ts';

interface Options {
  reader: OriginReader;
  queries: Pick<FleetQueries, 'branches' | 'position' | 'countAfter'>;
  logQueries: Pick<FleetLogQueries, 'confirm' | 'trim' | 'beginEpoch' | 'lastEpoch'>;
  /** The name of this start. */
  branch: string;
  /** Whether this start has published changes before, which NATS may have lost. */
  hasPublished: boolean;
  /** The highest id that a link had when this start began. */
  lastLink: number;
  /** Number of the newest migration. */
  schema: number;
  /** Where snapshots are written before they are sent. */
  folder: string;
}

/** The number of attempts to get the state of a busy database at the position that was just published. */
const mostTries = 20;
/** Positions that an engine that lost everything may have known, and a database restored meanwhile does not. */
const epochsToSkip = 1_000;

/**
 * The number of a new epoch: edges ignore snapshots of older epochs than theirs. NATS knows the newest; if it has no
 * data, for example after losing its disk, the database's number is used.
 */
function nextEpoch(inEngine: number, inDatabase: number): number {
  if (inEngine === 0 && inDatabase > 0) return inDatabase + epochsToSkip;
  return Math.max(inEngine, inDatabase) + 1;
}

interface Session {
  engine: Engine;
  seal: FleetSeal;
  subjects: FleetSubjects;
}

/** Publishes what changes, in order, through one connection to the engine. */
export function publisher(options: Options, { engine, seal, subjects }: Session) {
  const { reader, queries, logQueries, branch, lastLink, schema, folder } = options;
  let epoch = 0;
  let published = 0;
  let snapshot: SnapshotState | undefined;
  let checked = -1;
  /** Checksums that were announced to edges but not sent yet. */
  let summing: { position: number; sums: Promise<Record<string, string>>; isDone: boolean } | undefined;

  /** Whether the latest published change came from this database, and all later changes are still available. */
  function goesOnFrom(last: { branch: string; to: number }): boolean {
    const branches = queries.branches();
    const index = branches.findIndex(({ name }) => name === last.branch);
    const begun = branches[index];
    if (!begun) return false;
    const position = queries.position();
    const end = branches[index + 1]?.position ?? position;
    if (last.to < begun.position && index > 0) return false;
    return last.to <= end && queries.countAfter(last.to) === position - last.to;
  }

  /** Continues after the last published change, or starts a new epoch with a snapshot. */
  async function begin(): Promise<void> {
    const { changes, state } = subjects;
    const found = await latest(engine, state.stream, state.snapshot);
    snapshot = readMessage(snapshotState, found && seal.open(found.data, state.snapshot));
    const message = await latest(engine, changes.stream, changes.all);
    const last = readMark(message?.header);
    const newest = Math.max(last?.epoch ?? 0, snapshot?.epoch ?? 0);
    const isWhole = last?.kind === 'check' || (last !== undefined && last.part === last.parts - 1);
    if (last && isWhole && snapshot?.epoch === last.epoch && snapshot.schema === schema && goesOnFrom(last)) {
      epoch = last.epoch;
      published = last.to;
      await confirm(published);
      if (!(await hasSnapshot(engine, subjects.snapshots, snapshot.name))) await offerSnapshot();
      return;
    }
    epoch = nextEpoch(newest, logQueries.lastEpoch());
    // What this start did not publish itself may be of a history that a restore ended.
    const goesOn = last ? last.branch === branch : options.hasPublished;
    if (!goesOn) logQueries.beginEpoch(epoch, lastLink);
    await publishSnapshot();
  }

  /**
   * Creates and uploads a snapshot, and announces it to edges; resolves to its position. Edges that do not need it
   * continue with changes.
   */
  async function offerSnapshot(): Promise<number> {
    const { changes, state, snapshots } = subjects;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A unique name: an ended connection may still be working on another.
    const made = randomUUID().slice(0, 8);
    const file = join(folder, `fleet-snapshot-${made}.sqlite`);
    try {
      const { state: before } = await engine.manager.streams.info(changes.stream);
      const position = await reader.snapshot(file);
      const name = `snapshot-${epoch}-${position}-${before.last_seq}-${made}`;
      await putSnapshot(engine, snapshots, { file, name, key: seal.derive('snapshot') });
      snapshot = { epoch, position, sequence: before.last_seq, schema, name };
      await publishState(state.snapshot, snapshot);
      return position;
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Starts again with a snapshot, which all edges use: earlier changes need no units any more. */
  async function publishSnapshot(): Promise<void> {
    published = await offerSnapshot();
    await publishCheck({ position: published, sums: {} });
    await confirm(published);
  }

  async function publishState(subject: string, content: object): Promise<void> {
    await engine.streams.publish(subject, seal.seal(JSON.stringify(content), subject));
  }

  async function confirm(position: number): Promise<void> {
    while (logQueries.confirm(position)) await nextTurn();
  }

  async function publishCheck(
    check: Pick<z.output<typeof checkForm>, 'position' | 'sums' | 'isAnnounced'>,
  ): Promise<void> {
    const content: z.output<typeof checkForm> = { epoch, schema, ...check };
    const body = seal.seal(JSON.stringify(content), 'check');
    // Where the stream continues, whatever state was summed up.
    await publishParts(engine, subjects.changes, body, { kind: 'check', epoch, branch, to: published });
  }

  /** Publishes changes; true if there may be more. */
  async function publishNext(): Promise<boolean> {
    const unit = await reader.unit(published, { epoch, branch, schema });
    if (unit === undefined) return false;
    if (unit === 'many') {
      await publishSnapshot();
      return true;
    }
    await publishParts(engine, subjects.changes, seal.seal(unit.body, 'unit'), {
      kind: 'unit',
      epoch,
      branch,
      to: unit.to,
    });
    published = unit.to;
    await confirm(published);
    return true;
  }

  return {
    begin,
    epoch: () => epoch,
    published: () => published,
    offerSnapshot,
    publishState,
    publishNext,
    /**
     * Lets edges compute checksums of their tables at this position, once for each, and starts computing them here.
     * Changes continue meanwhile; `onSummed` is called when `sendSums` has something to send.
     */
    async check(onSummed: () => void): Promise<void> {
      if (checked === published || summing) return;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const position = published;
        const found = await reader.checksums(position);
        if (found) {
          const begun = { position, sums: found.sums, isDone: false };
          const finish = () => {
            begun.isDone = true;
            onSummed();
          };
          found.sums.then(finish, finish);
          summing = begun;
          await publishCheck({ position, sums: {}, isAnnounced: true });
          checked = position;
          return;
        }
        // Unpublished changes would look like differences.
        await publishNext();
      }
    },
    /** Sends edges the announced checksums when they are available. Rejects if they could not be computed. */
    async sendSums(): Promise<void> {
      if (!summing?.isDone) return;
      const { position, sums } = summing;
      summing = undefined;
      await publishCheck({ position, sums: await sums });
    },
    /** Creates a snapshot before starting edges would need more of the stream than is kept. */
    async renewSnapshot(mostMessages: number): Promise<void> {
      const { state } = await engine.manager.streams.info(subjects.changes.stream);
      const since = state.last_seq - (snapshot?.sequence ?? 0);
      const isLost = (snapshot?.sequence ?? 0) + 1 < state.first_seq;
      if (isLost || since > mostMessages) await offerSnapshot();
    },
  };
}

export type Publisher = ReturnType<typeof publisher>;
