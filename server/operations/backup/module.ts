import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../contract/settings.ts';
import type { SessionService } from '../../identity/sessions/service.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { migrations } from '../../platform/database/migrations.ts';
import type { Databases } from '../../platform/database/open.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import type { Vault } from '../../platform/vault.ts';
import { passphraseQueries } from './queries.ts';
import { backupRoutes } from './routes.ts';
import { type BackupService, backupService } from './service.ts';
import { setUpRestoreRoutes } from './setup-routes.ts';
import { tickets } from './tickets.ts';

interface Options {
  databases: Databases;
  settings: () => Settings['backup'];
  timezone: string;
  vault: Vault;
  vaultKey: Buffer | undefined;
  vaultKeyIsFixed: boolean;
  version: string;
  sessions: SessionService;
  writes: Pick<WriteGate, 'close' | 'open'>;
  audit: AuditLog;
  transactions: Transactions;
  scheduler: Scheduler;
  restart: () => void;
  now: () => number;
  randomBytes: (size: number) => Buffer;
  log: Logger;
}

export interface BackupModules {
  routes: Route[];
  backups: BackupService;
}

/** Wires backups: their endpoints, the job that makes them daily, and the restore on a fresh instance. */
export function backupModules(options: Options): BackupModules {
  const { databases, sessions, audit, timezone, now } = options;
  const backups = backupService({
    folder: dirname(databases.file),
    settings: options.settings,
    timezone,
    passphrases: passphraseQueries(databases.main),
    vault: options.vault,
    vaultKey: options.vaultKey,
    vaultKeyIsFixed: options.vaultKeyIsFixed,
    version: options.version,
    migrations,
    transactions: options.transactions,
    isFresh: sessions.isFresh,
    writes: options.writes,
    restart: options.restart,
    now,
    log: options.log,
  });
  options.scheduler.add({
    name: 'backup',
    // How often it is looked whether the daily one is due.
    intervalMs: () => 5 * 60_000,
    firstMs: 60_000,
    run: backups.runSchedule,
  });
  return {
    backups,
    routes: [
      ...backupRoutes({ backups, tickets: tickets({ randomBytes: options.randomBytes, now }), audit }),
      ...setUpRestoreRoutes({ backups, checkFirstRun: sessions.checkFirstRun, timezone }),
    ],
  };
}
