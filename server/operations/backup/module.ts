import { dirname } from 'node:path';
import type { Identity } from '../../identity/module.ts';
import type { Config } from '../../platform/config.ts';
import type { Core } from '../../platform/core.ts';
import { migrations } from '../../platform/database/migrations.ts';
import type { Module } from '../../platform/module.ts';
import { passphraseQueries } from './queries.ts';
import { backupRoutes } from './routes.ts';
import { type BackupService, backupService } from './service.ts';
import { setUpRestoreRoutes } from './setup-routes.ts';
import { tickets } from './tickets.ts';

interface Options {
  identity: Pick<Identity, 'sessions' | 'vault' | 'vaultKey'>;
  config: Pick<Config, 'timezone' | 'vaultKey'>;
  version: string;
  /** Closes the server and starts again on the same data folder. */
  restart?: () => void;
}

export interface BackupModule extends Module {
  backups: BackupService;
}

/** Sets up backups: their endpoints, the daily job, and the restore on a new instance. */
export function backupModule(core: Core, { identity, config, version, restart }: Options): BackupModule {
  const { databases, settings, log } = core;
  const { sessions, vault, vaultKey } = identity;
  const { now } = core.clock;
  const { timezone } = config;
  const backups = backupService({
    folder: dirname(databases.file),
    settings: () => settings.current().backup,
    timezone,
    passphrases: passphraseQueries(databases.main),
    vault,
    vaultKey,
    vaultKeyIsFixed: config.vaultKey !== undefined,
    version,
    migrations,
    transactions: core.transactions,
    isFresh: sessions.isFresh,
    restart: restart ?? (() => {}),
    writes: core.writes,
    now,
    log,
  });
  return {
    backups,
    routes: [
      ...backupRoutes({
        backups,
        tickets: tickets({ randomBytes: core.random.bytes, now }),
        audit: core.audit,
      }),
      ...setUpRestoreRoutes({ backups, checkFirstRun: sessions.checkFirstRun, timezone }),
    ],
    jobs: [
      {
        name: 'backup',
        // How often the job checks whether the daily backup is due.
        intervalMs: () => 5 * 60_000,
        firstMs: 60_000,
        run: backups.runSchedule,
      },
    ],
    close: backups.close,
  };
}
