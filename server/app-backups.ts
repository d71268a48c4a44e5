import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { AuditLog } from './audit/service.ts';
import { passphraseQueries } from './backup/queries.ts';
import { backupRoutes } from './backup/routes.ts';
import { type BackupService, backupService } from './backup/service.ts';
import { setUpRestoreRoutes } from './backup/setup-routes.ts';
import { tickets } from './backup/tickets.ts';
import type { Settings } from './contract/settings.ts';
import { migrations } from './database/migrations.ts';
import type { Databases } from './database/open.ts';
import type { Route } from './http/serve.ts';
import type { Scheduler } from './jobs/scheduler.ts';
import type { Vault } from './keys/vault.ts';
import type { SessionService } from './sessions/service.ts';

interface Options {
  databases: Databases;
  settings: () => Settings['backup'];
  timezone: string;
  vault: Vault;
  vaultKey: Buffer | undefined;
  vaultKeyIsFixed: boolean;
  version: string;
  sessions: SessionService;
  audit: AuditLog;
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
    isFresh: sessions.isFresh,
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
