import type { ServerResponse } from 'node:http';
import { tooMany } from '../errors.ts';

/** The memory used by responses that are generated but not yet read. */
export interface UnreadAnswers {
  /** Throws 429 for a party whose responses already exceed its share. */
  check(party: string): void;
  /** Counts a response until it is sent or its connection ends. */
  hold(party: string, bytes: number, response: ServerResponse): void;
}

/** The share of the free bytes that one party may use. */
const share = 1 / 4;
const retrySeconds = 5;

/**
 * Keeps clients from exhausting memory by requesting much and reading nothing: a thousand links with long URLs are ten
 * megabytes, and stalled connections are closed only after minutes. A party (an account or network) may only use its
 * share of the remaining bytes, so that others always get theirs (decision 0102). `most` is in bytes.
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
      const message = 'Earlier responses have not been read yet. Read them completely, then try again.';
      throw tooMany('answers_unread', message, retrySeconds);
    },
    hold(party, bytes, response) {
      if (response.destroyed) return;
      add(party, bytes);
      response.once('close', () => add(party, -bytes));
    },
  };
}
