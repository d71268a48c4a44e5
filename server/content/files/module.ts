import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Passwords } from '../../identity/keys/passwords.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { Databases } from '../../platform/database/open.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import { randomAlias } from '../links/aliases.ts';
import type { LinkReferences } from '../links/references.ts';
import { type FileDownloads, fileDownloads } from './downloads.ts';
import { fileQueries } from './queries.ts';
import { uploadPace } from './receive.ts';
import { fileRoutes } from './routes.ts';
import { type FileService, fileService } from './service.ts';
import { fileStorage } from './storage.ts';

interface Options {
  databases: Databases;
  aliases: AliasQueries;
  references: LinkReferences;
  passwords: Passwords;
  quota: StorageQuota;
  /** Most megabytes of a file. */
  maxUploadMb: () => number;
  /** Free bytes of a folder's disk, where tests make them few. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
  log: Logger;
}

export interface FileModules extends Pick<FileService, 'removeAllOf'> {
  /** Answers visits to files. */
  downloads: FileDownloads;
  routes: Route[];
}

/** Wires the files that accounts upload. Their content stands in a folder beside the database. */
export function fileModules(options: Options): FileModules {
  const { databases, passwords, randomBytes, baseUrl, now, monotonic, changes, log } = options;
  const queries = fileQueries(databases.main);
  const storage = fileStorage({
    folder: join(dirname(databases.file), 'files'),
    newName: () => randomBytes(16).toString('hex'),
    isStored: queries.isStored,
    pace: uploadPace,
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
  });
  const files = fileService({
    queries,
    storage,
    aliases: options.aliases,
    passwords,
    quota: options.quota,
    domainOf: options.references.domainOf,
    newAlias: (length) => randomAlias(options.randomInteger, length),
    now,
    transactions: options.transactions,
    maxUploadBytes: () => options.maxUploadMb() * 1_000_000,
    onFault: (err) => log.error({ err }, 'the content of a deleted file could not be removed'),
    changes,
  });
  return {
    removeAllOf: files.removeAllOf,
    downloads: fileDownloads({
      queries,
      storage,
      passwords,
      randomBytes,
      now,
      monotonic,
      log,
    }),
    routes: fileRoutes({ files, baseUrl, now }),
  };
}
