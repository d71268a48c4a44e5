import type { IncomingMessage } from 'node:http';
import { setUpRestore, setUpRestoreState, setUpUpload } from '../../contract/backups.ts';
import { isLocal } from '../../platform/http/addresses.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentBackup, presentFailure, presentTask } from './presenter.ts';
import type { BackupService } from './service.ts';

interface Options {
  backups: BackupService;
  /** Throws 404 once an account exists, 403 without the set-up code where it is needed. */
  checkFirstRun: (origin: { local: boolean; code: string | undefined }) => void;
  /** There is no account whose time zone could be taken. */
  timezone: string;
}

/** Beginning a fresh instance with a backup instead of a new account. */
export function setUpRestoreRoutes({ backups, checkFirstRun, timezone }: Options): Route[] {
  const { hasKeysOf } = backups;
  /** There is no account that an entry of the audit log could be read by. */
  const nobody = () => {};
  const check = (request: IncomingMessage, code: string | undefined) =>
    checkFirstRun({ local: isLocal(request), code });
  return [
    route(setUpUpload, async ({ request, query }) => {
      check(request, query.setupcode);
      // Somebody may set the instance up while the file arrives.
      const kept = await backups.receive(request, () => check(request, query.setupcode), nobody);
      return { message: 'Backup uploaded.', data: presentBackup(kept, { timezone, hasKeysOf }) };
    }),
    route(setUpRestore, async ({ request, body }) => {
      const { setupcode, ...choice } = body;
      check(request, setupcode);
      await backups.restore(choice, () => check(request, setupcode), nobody);
      return { message: 'The backup is being restored. The server restarts when it is ready.' };
    }),
    route(setUpRestoreState, ({ request, query }) => {
      check(request, query.setupcode);
      const { running, failure } = backups.state();
      return {
        data: { running: presentTask(running, timezone), failure: presentFailure(failure, timezone) },
      };
    }),
  ];
}
