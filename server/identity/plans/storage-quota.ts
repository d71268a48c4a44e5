import { setImmediate as nextTurn } from 'node:timers/promises';
import { rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { StorageQueries, StoredBytes } from './storage-queries.ts';

/** An upload in progress: its bytes count from the first one, so concurrent uploads share the quota. */
interface ArrivingContent {
  /** Says how many bytes have arrived by now. Throws 400 `storage_full` when they do not fit any more. */
  grow(received: number): void;
  /** Always call it, whether the content is stored or discarded. */
  end(): void;
}

export interface StorageQuota {
  /** What the account stores, and the most that its plan takes; null without a limit. Bytes. */
  usage(account: Account): StoredBytes & { limit: number | null };
  /** How many bytes are left, after stored content and uploads in progress; Infinity without a limit. */
  left(account: Account): number;
  /**
   * Throws 400 `storage_full` unless this many bytes are left. Unused picture uploads do not count: they are deleted
   * when something is stored, oldest first.
   */
  check(account: Account, bytes: number): void;
  /**
   * Has such pictures go, one in a turn, until so many bytes are left or none is there: for contents larger than they
   * are.
   */
  makeRoom(account: Account, bytes: number): Promise<void>;
  /** A content that is about to arrive. */
  arriving(account: Account): ArrivingContent;
  /**
   * Runs code that stores content, inside the caller's transaction. Throws 400 `storage_full`, with `field`, if the
   * account stores more than before and more than its plan allows; reducing usage always works.
   */
  within<Result>(account: Account, field: string | undefined, work: () => Result): Result;
}

/** The plan's limit for files and pictures in bytes (`limits.megabytes`; -1 is unlimited). */
export function storageQuota(queries: StorageQueries): StorageQuota {
  // As many as there are uploads under way; an account without one has no entry.
  const reserved = new Map<number, Set<{ bytes: number }>>();

  function stored(userId: number): number {
    const { files, pictures } = queries.find(userId);
    return files + pictures;
  }

  function arrived(userId: number): number {
    let bytes = 0;
    for (const content of reserved.get(userId) ?? []) bytes += content.bytes;
    return bytes;
  }

  function left(account: Account): number {
    const limit = limitOf(account);
    const userId = account.user.id;
    return limit === null ? Number.POSITIVE_INFINITY : limit - stored(userId) - arrived(userId);
  }

  function check(account: Account, bytes: number): void {
    const limit = limitOf(account);
    const userId = account.user.id;
    if (limit === null || bytes <= left(account)) return;
    if (bytes - left(account) > queries.waiting(userId)) throw storageFull(stored(userId), limit);
  }

  return {
    usage: (account) => ({ ...queries.find(account.user.id), limit: limitOf(account) }),
    left,
    check,

    async makeRoom(account, bytes) {
      const newest = queries.newestPicture();
      while (bytes > left(account) && queries.dropWaiting(account.user.id, newest)) await nextTurn();
    },

    arriving(account) {
      const userId = account.user.id;
      const content = { bytes: 0 };
      const ofAccount = reserved.get(userId) ?? new Set();
      reserved.set(userId, ofAccount.add(content));
      return {
        grow(received) {
          // A rejected upload releases its share immediately: otherwise all would fail together.
          content.bytes = 0;
          check(account, received);
          content.bytes = received;
        },
        end() {
          ofAccount.delete(content);
          if (ofAccount.size === 0 && reserved.get(userId) === ofAccount) reserved.delete(userId);
        },
      };
    },

    within(account, field, work) {
      const limit = limitOf(account);
      if (limit === null) return work();
      const userId = account.user.id;
      const before = stored(userId);
      const newest = queries.newestPicture();
      const result = work();
      const isTooMuch = () => stored(userId) > limit && stored(userId) > before;
      // Not what has just been stored itself.
      while (isTooMuch() && queries.dropWaiting(userId, newest));
      if (isTooMuch()) throw storageFull(before, limit, field);
      return result;
    },
  };
}

function limitOf({ plan }: Account): number | null {
  const { megabytes } = plan.limits;
  return megabytes < 0 ? null : megabytes * 1_000_000;
}

function storageFull(used: number, limit: number, field?: string) {
  return rejected(
    'storage_full',
    field,
    `Your files and pictures use ${sizeOf(used)} of the ${sizeOf(limit)} in your plan, so this does not fit. Delete files or change the plan.`,
  );
}

/** `1.4 MB`, rounded down: the reported usage never exceeds the plan. */
function sizeOf(bytes: number): string {
  const isLarge = bytes >= 1_000_000_000;
  const value = Math.floor(bytes / (isLarge ? 100_000_000 : 100_000)) / 10;
  return `${value.toLocaleString('en')} ${isLarge ? 'GB' : 'MB'}`;
}
