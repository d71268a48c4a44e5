import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { auditQueries } from './audit/queries.ts';
import { type AuditLog, auditLog, auditSweep } from './audit/service.ts';
import { type Arrivals, arrivals } from './concurrency/arrivals.ts';
import { type Turns, turns } from './concurrency/turns.ts';
import type { Config } from './config.ts';
import { noteEdits } from './database/authorship.ts';
import { type Checkpoints, checkpoints } from './database/checkpoints.ts';
import { actingPerson, checkBeforeCommit, confirmEdit } from './database/commit-guard.ts';
import { type DiskBytes, type DiskSpace, diskSpace } from './database/disk-space.ts';
import type { Databases } from './database/open.ts';
import { type Reader, reader } from './database/reader.ts';
import { type Soundness, soundness } from './database/soundness.ts';
import { type Transactions, transactions } from './database/transactions.ts';
import type { Change, Changes } from './events/changes.ts';
import type { EndedMembership } from './events/ended-membership.ts';
import { type Feed, feed } from './events/feed.ts';
import { type Fetcher, fetcher } from './fetcher/fetcher.ts';
import { withOwnPictures } from './fetcher/own-pictures.ts';
import { type HostList, hostList } from './http/hosts.ts';
import { type LinkOrigin, linkOrigin } from './http/link-origin.ts';
import { type WriteGate, writeGate } from './http/write-gate.ts';
import { type Backlog, backlog } from './jobs/backlog.ts';
import { type DeletionClock, deletionClock } from './jobs/deletion-clock.ts';
import { type Scheduler, scheduler } from './jobs/scheduler.ts';
import { type Slices, slices } from './jobs/slices.ts';
import { settingsQueries } from './settings/queries.ts';
import { type SettingsService, settingsService } from './settings/service.ts';

export interface CoreOptions {
  config: Pick<Config, 'settings'>;
  databases: Databases;
  /** The port in use, known once the server listens. */
  port: () => number;
  /** The HTTPS port; undefined if there is none. */
  httpsPort?: () => number | undefined;
  now: () => number;
  /** Monotonic milliseconds, unaffected by changes of the wall clock. */
  monotonic: () => number;
  /** A random integer from 0 up to, but not including, the argument. */
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  log: Logger;
  /** Fetches pictures; tests pass one that does not use the network. */
  fetcher?: Fetcher;
  /** The longest interval between two checks for due jobs, in milliseconds; tests shorten it. */
  lookMs?: number | undefined;
  /** Milliseconds between two checks of the free space on the data folder's disk. */
  spaceLookMs?: number | undefined;
  /** Disk usage of a folder; tests make it small. */
  diskBytes?: (folder: string) => DiskBytes;
}

/** What every module receives. */
export interface Core {
  /** `main` for user data, `clicks` for the click log. */
  databases: Databases;
  /** On the connection for user data. */
  transactions: Transactions;
  /** Long reads, in a worker thread. */
  reader: Reader;
  checkpoints: Checkpoints;
  /** Notified of every commit of user data. */
  commits: Feed<undefined>;
  space: DiskSpace;
  soundness: Soundness;
  clock: DeletionClock & { now: () => number; monotonic: () => number };
  random: { integer: (below: number) => number; bytes: (size: number) => Buffer };
  log: Logger;
  /** The ports in use, once the server listens. */
  ports: { http: () => number; https: () => number | undefined };
  /** The public URL of the instance, without a trailing slash. */
  baseUrl: () => string;
  hosts: HostList;
  /** The origin of links that people share. */
  linkOrigin: LinkOrigin;
  fetcher: Fetcher;
  settings: SettingsService;
  audit: AuditLog;
  changes: Changes;
  /** Ids of keys that have just been revoked or restricted: their open requests are ended. */
  revokedKeys: Feed<number>;
  endedMemberships: Feed<EndedMembership>;
  /** Every write on behalf of a user goes through this. */
  writes: WriteGate;
  jobs: Scheduler;
  slices: Slices;
  backlog: Backlog;
  /** What can wait asks it whether others are still connecting. */
  arrivals: Arrivals;
  /** Requests wait for their turn before they begin, and again when the reader has answered. */
  turns: Turns;
}

/** Creates what all modules share. Resources that must be closed are added to `open`. */
export function createCore(options: CoreOptions, open: AsyncDisposableStack): Core {
  const { databases, now, monotonic, log } = options;
  const database = databases.main;
  open.defer(() => databases.close());
  noteEdits(database, actingPerson);
  const newcomers = arrivals();
  const inTurn = turns({ monotonic, givesWay: newcomers.watch() });
  const longReads = reader({ file: databases.file, nextTurn: inTurn.next });
  open.defer(longReads.close);
  const writeBack = checkpoints(databases.clicks, { others: [database] });
  open.defer(writeBack.close);
  const commits = feed<undefined>((err) => log.error({ err }, 'a listener to commits failed'));
  const afterCommit = () => {
    writeBack.consider();
    commits.publish(undefined);
  };
  const atomic = transactions(database, {
    afterCommit,
    beforeCommit: checkBeforeCommit,
    runWork: confirmEdit,
  });
  const changes = feed<Change>((err) => log.error({ err }, 'a listener to changes failed'));
  const settings = settingsService({
    queries: settingsQueries(database),
    fixed: options.config.settings,
    transactions: atomic,
    log,
  });
  const configured = () => settings.current().baseUrl ?? undefined;
  const clock = { now, monotonic, ...deletionClock({ database, now, log }) };
  const works = slices({
    transactions: atomic,
    monotonic,
    mustWait: writeBack.isBehind,
    givesWay: newcomers.watch(),
  });
  const leftovers = backlog({ slices: works, monotonic, log });
  const jobs = scheduler({ now, monotonic, log, lookMs: options.lookMs });
  jobs.add(leftovers.job);
  const sound = soundness({
    folder: dirname(databases.file),
    file: databases.file,
    leftOpen: databases.leftOpen,
    now,
    log,
  });
  open.defer(sound.close);
  jobs.add(sound.job);
  const entries = auditQueries(database);
  jobs.add(auditSweep({ queries: entries, slices: works, now, isClockTrusted: clock.isTrusted }));
  const https = () => options.httpsPort?.();
  const hosts = hostList({ port: options.port, httpsPort: https, baseUrl: configured });
  return {
    databases,
    transactions: atomic,
    reader: longReads,
    checkpoints: writeBack,
    commits,
    soundness: sound,
    space: diskSpace({
      folder: dirname(databases.file),
      database,
      log,
      lookMs: options.spaceLookMs,
      ...(options.diskBytes && { bytesOf: options.diskBytes }),
    }),
    clock,
    random: { integer: options.randomInteger, bytes: options.randomBytes },
    log,
    ports: { http: options.port, https },
    baseUrl: () => configured() ?? `http://localhost:${options.port()}`,
    hosts,
    linkOrigin: linkOrigin({ publicUrl: configured, port: options.port, hosts }),
    fetcher: withOwnPictures(
      options.fetcher ?? fetcher({ allowedRanges: () => settings.current().allowedPrivateRanges }),
      database,
    ),
    settings,
    audit: auditLog({
      queries: entries,
      now,
      changes,
    }),
    changes,
    revokedKeys: feed<number>((err) => log.error({ err }, 'a listener to revoked keys failed')),
    endedMemberships: feed<EndedMembership>((err) =>
      log.error({ err }, 'a listener to ended memberships failed'),
    ),
    writes: writeGate(),
    jobs,
    slices: works,
    backlog: leftovers,
    arrivals: newcomers,
    turns: inTurn,
  };
}

/** Stops background work: no further job starts, and long-running work stops where it is. */
export async function stopWork({ space, slices, jobs }: Core): Promise<void> {
  space.close();
  await slices.close();
  await jobs.stop();
}
