import type { ReadStream } from 'node:fs';
import type Koa from 'koa';
import {
  addBackup,
  addBackupTicket,
  cancelBackup,
  checkBackup,
  deleteBackup,
  downloadBackup,
  downloadByTicket,
  getBackup,
  listBackups,
  restoreBackup,
  setBackupPassphrase,
  uploadBackup,
} from '../../contract/backups.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { notFound } from '../../platform/errors.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { presentBackup, presentFailure, presentTask, presentUnfinished } from './presenter.ts';
import type { BackupService } from './service.ts';
import type { KeptBackup } from './store.ts';
import type { Tickets } from './tickets.ts';

interface Options {
  backups: BackupService;
  tickets: Tickets;
  audit: AuditLog;
}

/** Backups of the instance, for administrators. */
export function backupRoutes({ backups, tickets, audit }: Options): Route[] {
  const { hasKeysOf } = backups;
  return [
    route(listBackups, async ({ caller }) => {
      const { timezone } = caller.user;
      const { running, failure, ...overview } = await backups.overview();
      return {
        data: {
          backups: overview.backups.map((kept) => presentBackup(kept, { timezone, hasKeysOf })),
          running: presentTask(running, timezone),
          failure: presentFailure(failure, timezone),
          next: presentOptional(overview.nextAt, timezone),
          folder: overview.folder,
          passphrase: overview.hasPassphrase,
        },
      };
    }),
    route(addBackup, (call) => {
      const id = backups.add((backup) => audit.note(actorOf(call), 'backup.added', { backup }, null));
      return { message: 'The backup is being created.', id };
    }),
    route(getBackup, async ({ caller, id }) => {
      const { timezone } = caller.user;
      const { running, failure } = backups.state();
      const task = running?.id === id ? running : undefined;
      const at = { phase: task?.phase ?? null, progress: task?.progress ?? null };
      if (task?.task === 'backup') {
        return {
          data: {
            ...presentUnfinished({ id, kind: task.kind, at: task.startedAt, problem: null }, timezone),
            ...at,
          },
        };
      }
      if (failure?.id === id && failure.task === 'backup' && !(await isKept(id))) {
        return {
          data: {
            ...presentUnfinished({ id, kind: 'manual', at: failure.at, problem: failure.message }, timezone),
            ...at,
          },
        };
      }
      return { data: { ...presentBackup(await backups.get(id), { timezone, hasKeysOf }), ...at } };
    }),
    route(checkBackup, async ({ id }) => {
      await backups.check(id);
      return { message: 'The backup is being restored into a temporary folder.' };
    }),
    route(cancelBackup, async ({ id }) => {
      await backups.cancel(id);
      return { message: 'Cancelled.' };
    }),
    route(downloadBackup, async (call) => {
      const opened = await backups.open(call.id);
      audit.note(actorOf(call), 'backup.downloaded', { backup: call.id }, null);
      send(call.context, opened);
      return undefined;
    }),
    route(addBackupTicket, async (call) => {
      await backups.get(call.id);
      const { ticket, expiresAt } = tickets.add(call.id, call.isStillAllowed);
      audit.note(actorOf(call), 'backup.downloaded', { backup: call.id }, null);
      const path = `/api/backups/download?ticket=${ticket}`;
      return { data: { path, expires: presentTimestamp(expiresAt, call.caller.user.timezone) } };
    }),
    route(downloadByTicket, async ({ query, context }) => {
      const id = tickets.take(query.ticket);
      if (id === undefined) throw notFound('This download');
      send(context, await backups.open(id));
      return undefined;
    }),
    route(uploadBackup, async (call) => {
      const kept = await backups.receive(call.request, call.checkStillAllowed, (backup) =>
        audit.note(actorOf(call), 'backup.uploaded', { backup }, null),
      );
      return {
        message: 'Backup uploaded.',
        data: presentBackup(kept, { timezone: call.caller.user.timezone, hasKeysOf }),
      };
    }),
    route(deleteBackup, async (call) => {
      await backups.remove(call.id, ({ id, filename }) =>
        audit.note(actorOf(call), 'backup.deleted', { backup: id, file: filename }, null),
      );
      return { message: 'The backup was deleted.' };
    }),
    route(restoreBackup, async (call) => {
      checkFull(call.caller);
      await backups.restore(call.body, call.checkStillAllowed, () =>
        audit.note(actorOf(call), 'backup.restore_started', { backup: call.body.id }, null),
      );
      return { message: 'The backup is being restored. The server restarts when it is ready.' };
    }),
    route(setBackupPassphrase, (call) => {
      const { passphrase } = call.body;
      backups.setPassphrase(passphrase, () =>
        audit.note(actorOf(call), 'backup.passphrase', { set: passphrase !== null }, null),
      );
      return {
        message:
          passphrase === null
            ? 'New backups do not include secrets.'
            : 'New backups include secrets, encrypted with this passphrase. Save it: it cannot be shown again.',
      };
    }),
  ];

  function isKept(id: number): Promise<boolean> {
    return backups.get(id).then(
      () => true,
      () => false,
    );
  }
}

function send(context: Koa.Context, { kept, content }: { kept: KeptBackup; content: ReadStream }): void {
  context.type = 'application/gzip';
  context.attachment(kept.filename);
  context.length = kept.size;
  context.body = content;
}
