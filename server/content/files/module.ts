import { dirname, join } from 'node:path';
import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../../visits/redirects/redirects.ts';
import { freeAlias } from '../links/aliases.ts';
import type { LinkModule } from '../links/module.ts';
import { fileDownloads } from './downloads.ts';
import { fileLists, fileQueries } from './queries.ts';
import { uploadPace } from './receive.ts';
import { fileRoutes } from './routes.ts';
import { fileService } from './service.ts';
import { fileStorage } from './storage.ts';

interface Options {
  identity: Pick<Identity, 'passwords' | 'quota' | 'userAdmin'>;
  links: Pick<LinkModule, 'aliases' | 'references'>;
  redirects: Pick<Redirects, 'answerAlias'>;
  /** Most megabytes of a file, where tests make them few. */
  maxUploadMb?: (() => number) | undefined;
  /** Free bytes of a folder's disk, where tests make them few. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** Wires the files that accounts upload. Their content stands in a folder beside the database. */
export function fileModule(core: Core, { identity, links, redirects, ...options }: Options): Module {
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
  const downloads = fileDownloads({ queries, storage, passwords, randomBytes, now, monotonic, log });
  redirects.answerAlias('file', downloads.handle);
  return { routes: fileRoutes({ files, baseUrl, now }) };
}
