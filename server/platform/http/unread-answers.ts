import type { ServerResponse } from 'node:http';
import { tooMany } from '../errors.ts';

/** What answers that were made and are not read yet take of the memory. */
export interface UnreadAnswers {
  /** Throws 429 for a party whose answers take more than its share already. */
  check(party: string): void;
  /** Counts an answer until it is sent or its connection ends. */
  hold(party: string, bytes: number, response: ServerResponse): void;
}

/** The part of the free bytes that one party may have waiting. */
const share = 1 / 4;
const retrySeconds = 5;

/**
 * Keeps clients from filling the memory by asking for much and reading nothing: a thousand links with long addresses
 * are ten megabytes, and a connection that stands still is cut only minutes later. A party, which is an account or a
 * network, may have no more waiting than its share of the bytes that are left, so that others always get theirs
 * (decision 0102). `most` is in bytes.
 */
export function unreadAnswers(most = 256_000_000): UnreadAnswers {
  const byParty = new Map<string, number>();
  let total = 0;

  function add(party: string, bytes: number): void {
    total += bytes;
    const left = (byParty.get(party) ?? 0) + bytes;
    if (left > 0) byParty.set(party, left);
    else byParty.delete(party);
  }

  return {
    check(party) {
      const unread = byParty.get(party) ?? 0;
      if (unread === 0 || unread < (most - total) * share) return;
      const message = 'Earlier answers have not been read yet. Read them to their end, then try again.';
      throw tooMany('answers_unread', message, retrySeconds);
    },
    hold(party, bytes, response) {
      if (response.destroyed) return;
      add(party, bytes);
      response.once('close', () => add(party, -bytes));
    },
  };
}
