import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileStorage } from '../../content/files/storage.ts';
import type { Identity } from '../../identity/module.ts';
import type { StartFleet } from '../../platform/config.ts';
import type { Core } from '../../platform/core.ts';
import { writeWhole } from '../../platform/database/disk.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import type { Certificates } from '../certificates/certificates.ts';
import type { DomainModule } from '../domains/module.ts';
import { captureChanges, stopCapture } from './capture.ts';
import { fleetChallenges } from './certificate-desk.ts';
import { dnsAddresses } from './dns-addresses.ts';
import { edgePlaces } from './edge-places.ts';
import type { Unreadable } from './edge-states.ts';
import { cutOffRevoked, edgeSigner } from './edge-users.ts';
import { type HeardReport, newBranch } from './edges.ts';
import { fixedSettings } from './fixed-settings.ts';
import { takeInShipped } from './intake.ts';
import { fleetLimits } from './limits.ts';
import type { FormEntry } from './messages.ts';
import { type Origin, origin } from './origin.ts';
import { originReader } from './origin-reader.ts';
import { publicSettings } from './public-tables.ts';
import { type FleetLogQueries, fleetLogQueries, fleetQueries } from './queries.ts';
import { fleetRoutes } from './routes.ts';
import { fleetSeal } from './seal.ts';
import { fleetService } from './service.ts';
import { addressOf, fleetSettings, lockedFleet } from './settings.ts';
import { fleetSubjects } from './subjects.ts';

interface Options {
  identity: Pick<Identity, 'vault'>;
  /** The purpose for which the vault encrypts the fleet's secrets. */
  purpose: string;
  certificates: Pick<Certificates, 'served' | 'revision' | 'shareChallenges'>;
  /** The contents of files. */
  contents: Pick<FileStorage, 'open'>;
  redirects: Pick<Redirects, 'takeForm' | 'storeShipped' | 'shareLimits'>;
  domains: Pick<DomainModule, 'shareAddresses'>;
  /** The NATS server given at startup. */
  told?: StartFleet | undefined;
}

export interface FleetModule extends Module {
  /** Connects to the engine where a fleet is on. */
  start(): void;
}

/** Wires the origin of a fleet. Without one nothing here runs, and the engine's client is not loaded. */
export function fleetModule(
  core: Core,
  { certificates, contents, domains, identity, purpose, redirects, told }: Options,
): FleetModule {
  const { audit, clock, databases, log, settings, transactions } = core;
  const database = databases.main;
  const folder = dirname(databases.file);
  const runFile = join(folder, 'fleet-run.json');
  const queries = fleetQueries(database);
  const logQueries = fleetLogQueries(databases.clicks);
  /** The same for data that must survive a power cut. */
  const durableQueries = fleetLogQueries(database);
  const store = fleetSettings({ database, vault: identity.vault, purpose, randomBytes: core.random.bytes });
  const reader = originReader(databases.file, fixedSettings(settings.show()));
  const reports = new Map<number, HeardReport>();
  /** Since when edges are seen to be behind. */
  const behindSince = new Map<number, number>();
  const unreadable = new Map<number, Unreadable>();
  const cutOff = cutOffRevoked({ queries, settings: () => store.find(), now: clock.now, log });
  const mayWrite = () => !core.writes.isClosed() && core.space.mayWrite();
  const notePlaces = edgePlaces({ queries, mayWrite, transactions, now: clock.now, log });
  let running: Origin | undefined;
  let restarted = Promise.resolve();
  let isStarted = false;
  /** Whether limited links are counted by several machines. */
  let isOn = store.find()?.enabled === true;

  if (isOn) captureChanges(database);
  core.commits.subscribe(() => running?.wake());
  const limits = fleetLimits({
    session: () => running?.session(),
    // The keeper of limits is notified later: too late if the fleet is turned off meanwhile.
    noteUsed: (counted, used) => void redirects.storeShipped([], () => logQueries.raiseUsed(counted, used)),
    log,
  });
  const challenges = fleetChallenges(() => running?.session());
  certificates.shareChallenges(challenges);
  redirects.shareLimits(() => (isOn ? limits : undefined));
  domains.shareAddresses(
    () => (isOn ? dnsAddresses(queries.addresses(), settings.current().publicAddresses) : []),
    challenges,
  );

  settings.onChange((names) => {
    if (names.includes('fleet') && isStarted && isOn) void restart(false);
  });

  /** The start recorded in the folder, although its database may be older: after a restore. */
  function lastRun(): string | undefined {
    try {
      const { run } = JSON.parse(readFileSync(runFile, 'utf8')) as { run?: unknown };
      return typeof run === 'string' ? run : undefined;
    } catch {
      // Missing or unreadable: the database is usually sufficient.
      return undefined;
    }
  }

  /**
   * One at a time, each with its preceding change: two at once would leave an origin running that nothing can stop,
   * and one before the change would reopen what that closed.
   */
  function restart(takeOver: boolean, change: () => Promise<void> = async () => {}): Promise<void> {
    restarted = restarted
      .catch(() => {})
      .then(change)
      .finally(() => begin(takeOver));
    return restarted;
  }

  async function begin(takeOver: boolean): Promise<void> {
    const before = running;
    running = undefined;
    await before?.stop();
    const current = store.find();
    isOn = current?.enabled === true;
    if (!current?.enabled) {
      stopCapture(database);
      return;
    }
    captureChanges(database);
    if (!isStarted) return;
    const signer = await edgeSigner(current).catch((error: Error) => {
      log.warn(error.message);
      return undefined;
    });
    const branch = newBranch();
    const last = lastRun();
    const lastLink = queries.lastLink();
    transactions.atomically(() => {
      queries.addBranch(branch);
      // The start before may have decided others.
      queries.noteSettings(publicSettings);
    });
    const { keepBytes, keepHours } = settings.current().fleet;
    running = origin({
      address: addressOf(current),
      seal: fleetSeal(Buffer.from(current.key, 'base64')),
      subjects: fleetSubjects,
      fleet: current.fleet,
      retention: { bytes: keepBytes, hours: keepHours },
      branch,
      isOwnRun: (name) => name === last || queries.branches().some((each) => each.name === name),
      isGoingOn: (name) => name === last && queries.branches().some((each) => each.name === name),
      onClaimed: () => writeWhole(runFile, `${JSON.stringify({ run: branch })}\n`),
      publishing: {
        reader,
        queries,
        logQueries,
        branch,
        lastLink,
        schema: Number(database.pragma('user_version', { simple: true })),
        folder: join(folder, 'tmp'),
      },
      desk: {
        queries,
        logQueries,
        now: clock.now,
        randomBytes: core.random.bytes,
        issueUser: signer && (async (id, user) => signer.issue(id, user, clock.now())),
        onReport(id, heard) {
          reports.set(id, heard);
          notePlaces(id, heard.addresses);
          const { epoch, position } = running?.status() ?? heard;
          if (heard.epoch === epoch && heard.position >= position) behindSince.delete(id);
          else if (!behindSince.has(id)) behindSince.set(id, clock.now());
        },
      },
      takeInShipped: (session) =>
        takeInShipped(
          {
            queries,
            logQueries,
            storeShipped: redirects.storeShipped,
            takeEntries,
            onUnreadable: noteUnreadable,
            log,
          },
          session,
        ),
      certificates,
      files: { queries, openContent: contents.open, now: clock.now, log },
      limits: {
        reader,
        logQueries,
        write: (note) => redirects.storeShipped([], note),
        monotonic: () => performance.now(),
        log,
      },
      cutOff,
      takenUntil: logQueries.sequence,
      now: clock.now,
      log,
      takeOver,
    });
  }

  function noteUnreadable(edge: number): void {
    const count = (unreadable.get(edge)?.count ?? 0) + 1;
    unreadable.set(edge, { count, at: clock.now() });
  }

  /** Keeps what visitors sent to edges; false while that has to wait. */
  function takeEntries(entries: readonly FormEntry[], note: (queries: FleetLogQueries) => void): boolean {
    if (!mayWrite()) return false;
    transactions.atomically(() => {
      for (const entry of entries) redirects.takeForm(entry);
      note(durableQueries);
    });
    return true;
  }

  /** Stores what was given at startup, so that a later start without it continues with it. */
  function storeTold(given: StartFleet): void {
    // It would replace a key that may be restored.
    if (store.isLocked()) return;
    const current = store.find();
    // If the sign-in method changes, the stored secrets of the previous one are removed.
    const isNewWay = [given.user, given.token, given.credentials].some((each) => each !== undefined);
    const before = isNewWay ? { user: null, password: null, token: null, credentials: null } : {};
    const change = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined));
    transactions.atomically(() => {
      store.store(store.changed(current, { ...before, ...change, enabled: true }));
      if (current?.enabled !== true) queries.forget();
    });
    if (settings.current().baseUrl === null)
      log.warn('A fleet needs a public URL. Enter it in the settings.');
  }

  const fleet = fleetService({
    store,
    queries,
    running: () => running,
    restart,
    baseUrl: () => settings.current().baseUrl,
    reports,
    behindSince,
    unreadable,
    cutOff,
    transactions,
    audit,
    now: clock.now,
    log,
  });
  return {
    routes: fleetRoutes({ fleet }),
    start() {
      isStarted = true;
      if (store.isLocked()) log.warn(lockedFleet);
      if (told) storeTold(told);
      if (store.find()?.enabled) void restart(false);
    },
    async close() {
      isStarted = false;
      await restarted.catch(() => {});
      await running?.stop();
      await reader.close();
    },
  };
}
