import { createHmac } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import { passwordGate } from '../../visits/redirects/password-gate.ts';
import type { AnswersFor, Redirects } from '../../visits/redirects/redirect-path.ts';
import { freeAlias } from '../links/aliases.ts';
import type { LinkModule } from '../links/module.ts';
import { fileDownloads } from './downloads.ts';
import { fileLists, fileQueries } from './queries.ts';
import { uploadPace } from './receive.ts';
import { fileRoutes } from './routes.ts';
import { fileService } from './service.ts';
import { type FileStorage, fileStorage } from './storage.ts';

interface Options {
  identity: Pick<Identity, 'passwords' | 'quota' | 'userAdmin'>;
  links: Pick<LinkModule, 'aliases' | 'references'>;
  redirects: Pick<Redirects, 'answerAlias' | 'sharedLimits'>;
  /** On an edge of a fleet, which serves the files of another machine. */
  answersFor?: Pick<AnswersFor, 'files' | 'machines' | 'unlockKey'> | undefined;
  /** The maximum file size in megabytes; tests lower it. */
  maxUploadMb?: (() => number) | undefined;
  /** Free bytes of a folder's disk; tests lower them. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

export interface FileModule extends Module {
  contents: Pick<FileStorage, 'open'>;
}

/** Sets up uploaded files. Their contents are in a folder next to the database. */
export function fileModule(core: Core, { identity, links, redirects, ...options }: Options): FileModule {
  const { databases, baseUrl, changes, log, settings, transactions } = core;
  const { now, monotonic } = core.clock;
  const { passwords, quota } = identity;
  const randomBytes = core.random.bytes;
  const queries = fileQueries(databases.main);
  const storage = fileStorage({
    folder: join(dirname(databases.file), 'files'),
    newName: () => randomBytes(16).toString('hex'),
    isStored: queries.isStored,
    pace: uploadPace,
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
  });
  const maxUploadMb = options.maxUploadMb ?? (() => settings.current().maxUploadMb);
  const files = fileService({
    queries,
    lists: fileLists(core.reader),
    storage,
    aliases: links.aliases,
    passwords,
    quota,
    domainOf: links.references.domainOf,
    freeAlias: freeAlias(core.random.integer),
    now,
    transactions,
    maxUploadBytes: () => maxUploadMb() * 1_000_000,
    onFault: (err) => log.error({ err }, 'the content of a deleted file could not be removed'),
    changes,
  });
  identity.userAdmin.onRemoval(files.removeAllOf);
  const { answersFor } = options;
  const downloads = fileDownloads({
    queries,
    contents: answersFor ? { shared: answersFor.files } : { own: storage },
    gate: passwordGate({
      passwords,
      // That of links signs for their ids, which files have, too.
      unlockKey: answersFor
        ? createHmac('sha256', answersFor.unlockKey).update('files').digest()
        : randomBytes(32),
      machines: answersFor?.machines,
      now,
      monotonic,
    }),
    sharedLimits: redirects.sharedLimits,
    now,
    log,
  });
  redirects.answerAlias('file', downloads.handle);
  return { routes: fileRoutes({ files, baseUrl, now }), contents: storage };
}
