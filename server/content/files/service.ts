import type { IncomingMessage } from 'node:http';
import type { FileChange, UploadQuery } from '../../contract/files.ts';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, planFull, rejected, unsupportedMedia } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { FreeAlias } from '../links/aliases.ts';
import { aliasTaken } from '../links/history.ts';
import { applyFileChange, type FileEdit } from './fields.ts';
import { readFilename } from './names.ts';
import type { FileLists, FileQueries, FileRecord, FileRow } from './queries.ts';
import type { FileStorage, StoredContent } from './storage.ts';

interface Options {
  queries: FileQueries;
  lists: FileLists;
  storage: FileStorage;
  aliases: AliasQueries;
  passwords: Passwords;
  /** Id of a domain by id, host name or address; null is the instance's own. Throws 400. */
  domainOf: (reference: number | string, userId: number) => number | null;
  freeAlias: FreeAlias;
  now: () => number;
  transactions: Transactions;
  maxUploadBytes: () => number;
  quota: StorageQuota;
  /** Called for a content that could not be deleted. */
  onFault: (error: unknown) => void;
  changes: Pick<Changes, 'publish'>;
}

/** Files: contents with a short download address. */
export function fileService(options: Options) {
  const { queries, storage, aliases, passwords, quota, domainOf, freeAlias, now, changes } = options;
  const { atomically } = options.transactions;

  function get(id: number, account: Account): FileRow {
    const row = queries.find(id, account.user.id);
    if (!row) throw notFound('File');
    return row;
  }

  function edit(change: FileChange, record: FileRecord, account: Account): FileEdit {
    return applyFileChange(change, record, { account, domainOf, now: now() });
  }

  async function withPassword({ record, password }: FileEdit, { user }: Account): Promise<FileRecord> {
    if (password === undefined) return record;
    const hash = password === null ? null : await passwords.hash(password, accountParty(user.id));
    return { ...record, password_hash: hash };
  }

  function checkRoom({ plan, user }: Account): void {
    const limit = plan.limits.files;
    if (limit >= 0 && queries.count(user.id) >= limit) {
      throw planFull('files', limit, 'file');
    }
    checkCeiling('files', queries.count(user.id));
  }

  /** Stores the body of a request. It counts from its first byte, so concurrent uploads share the quota. */
  async function receive(account: Account, request: IncomingMessage): Promise<StoredContent> {
    const arriving = quota.arriving(account);
    try {
      return await storage.receive(request, options.maxUploadBytes(), arriving.grow);
    } finally {
      arriving.end();
    }
  }

  return {
    get,
    usage: quota.usage,

    list: (account: Account, name: string | undefined, page: ListPage): Promise<Page<FileRow>> =>
      options.lists.list(account.user.id, name, page),

    /**
     * Stores the body of a request as a file. All checks run before the first byte is read; the row and the alias are
     * written after the content is synced, so an answered upload is never lost.
     */
    async upload(
      account: Account,
      filename: string,
      query: UploadQuery,
      request: IncomingMessage,
      checkStillAllowed: () => void,
    ): Promise<FileRow> {
      const saved = readFilename(filename);
      checkMediaType(request);
      checkRoom(account);
      // Of an unknown length it is at least one byte.
      quota.check(account, Number(request.headers['content-length'] ?? 1));
      const start = { ...emptyRecord, name: saved, filename: saved };
      const change = { ...query, maxdownloads: query.maxdownloads || null };
      const wanted = edit(change, start, account);
      const { domain_id, alias } = wanted.record;
      if (alias !== '' && aliases.holderOf(domain_id, alias)) throw aliasTaken();
      const record = await withPassword(wanted, account);
      const content = await receive(account, request);
      let id: number;
      try {
        checkStillAllowed();
        if (content.size === 0) throw emptyFile();
        await quota.makeRoom(account, content.size);
        id = atomically(() => {
          // While the content arrived, others may have come first, and the domain may have been deleted.
          checkRoom(account);
          edit(change, start, account);
          const claimed =
            record.alias || freeAlias((alias) => aliases.holderOf(record.domain_id, alias) !== undefined);
          const made = quota.within(account, undefined, () =>
            queries.insert(account.user.id, { ...record, alias: claimed }, content, now()),
          );
          if (!aliases.claim(record.domain_id, claimed, 'file', made)) throw aliasTaken();
          return made;
        });
      } catch (error) {
        await storage.remove(content.storage);
        throw error;
      }
      // Outside: whatever fails from here on, the file has a row, and its content must stay.
      changes.publish({ accountId: account.user.id, resource: 'files', ids: [id] });
      return get(id, account);
    },

    async update(id: number, account: Account, change: FileChange): Promise<FileRow> {
      const hash = (await withPassword(edit(change, get(id, account), account), account)).password_hash;
      atomically(() => {
        // Hashing took a while: other changes made meanwhile are kept.
        const current = get(id, account);
        const { record, password } = edit(change, current, account);
        queries.update(id, password === undefined ? pick(record) : { ...pick(record), password_hash: hash });
        const held = aliases.move(record.domain_id, record.alias, 'file', id);
        const moved = record.alias !== current.alias || record.domain_id !== current.domain_id;
        if (!held && moved) throw aliasTaken();
      });
      changes.publish({ accountId: account.user.id, resource: 'files', ids: [id] });
      return get(id, account);
    },

    /**
     * Deletes a file, also from bio pages that show it: the row first, so that a crash leaves only a content that the
     * next start deletes.
     */
    async remove(id: number, account: Account): Promise<void> {
      const userId = account.user.id;
      const { storage: content } = get(id, account);
      const pages = atomically(() => {
        if (!queries.remove(id, userId)) throw notFound('File');
        return queries.withdraw(id, userId);
      });
      await storage.remove(content).catch(options.onFault);
      changes.publish({ accountId: userId, resource: 'files', ids: [id] });
      if (pages.length > 0) changes.publish({ accountId: userId, resource: 'bio', ids: pages });
    },

    /**
     * To be called before the files of an account are deleted with it; the function that it returns, after the commit,
     * removes their contents. One that cannot be removed is swept away at the next start.
     */
    removeAllOf(userId: number): () => Promise<void> {
      const contents = queries.contentsOf(userId);
      return async () => {
        for (const content of contents) await storage.remove(content).catch(options.onFault);
      };
    },
  };
}

export type FileService = ReturnType<typeof fileService>;

/** The defaults of a new file. An empty alias means a random one. */
const emptyRecord: Omit<FileRecord, 'name' | 'filename'> = {
  domain_id: null,
  alias: '',
  password_hash: null,
  expires_at: null,
  max_downloads: null,
};

function pick({ domain_id, alias, name, filename, password_hash, expires_at, max_downloads }: FileRecord) {
  return { domain_id, alias, name, filename, password_hash, expires_at, max_downloads };
}

/** A form or a compressed body would be stored as it is, and be useless. */
function checkMediaType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMedia('Send the file without a content encoding.');
  }
  if (headers['content-type']?.trim().toLowerCase().startsWith('multipart/')) {
    throw unsupportedMedia('Send the file content as the body, not a form.');
  }
}

function emptyFile() {
  return rejected('empty_file', undefined, 'The file is empty. Send its content as the body.');
}
