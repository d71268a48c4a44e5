import { createHash } from 'node:crypto';
import { accountParty } from '../concurrency/fair-queue.ts';
import { type Refusal, tooMany, unavailable } from '../errors.ts';
import { caseFold } from '../text/case-fold.ts';
import type { LetterKind } from './letter-texts.ts';
import type { OutboxQueries } from './queries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Messages per hour and per day: on behalf of one account or network, and of one type to one address. Many messages of
 * one type must not keep others, such as a sign-in notice, from arriving.
 */
const mostOfParty = { hour: 30, day: 100 };
const mostToRecipient = { hour: 5, day: 15 };
/** The maximum number of waiting messages, of all parties, and the share of free places that one may use. */
const mostWaiting = 2_000;
const share = 1 / 8;
const forgottenAtOnce = 100;
/** After this long, a message in progress has either arrived or failed. */
const underWayMs = 60_000;

/** The party of security notices: others who send too much on behalf of an account must not suppress these. */
export function securityParty(userId: number): string {
  return `security of ${accountParty(userId)}`;
}

export interface MailLimits {
  /** Counts a party's message. Throws 429 if it sends too many, 503 if too many are waiting. */
  consume(party: string): void;
  /** Whether an address may get another message of a type. */
  mayReceive(kind: LetterKind, address: string): boolean;
  /**
   * Reserves one of an address's messages of a type while it is being sent, so that two concurrent messages do not
   * both use the last one; undefined if there is none. The returned function releases it.
   */
  reserve(kind: LetterKind, address: string): (() => void) | undefined;
  /** When an address over its limit may get the next message of a type. */
  roomAt(kind: LetterKind, address: string): number;
  /** Counts a message that an address received. */
  noteReceived(kind: LetterKind, address: string): void;
  /** Sends a notice unless it was sent within a day; `tell` returns whether it was sent. */
  onceADay(what: string, tell: () => boolean): void;
  /** The error for an address that got too many. */
  tooManyFor(): Refusal;
}

/**
 * Limits what is sent: anyone who can make the server send email could otherwise flood mailboxes in its name. The
 * counts are stored, so that a restart does not reset them; addresses are stored as hashes.
 */
export function mailLimits(queries: OutboxQueries, now: () => number): MailLimits {
  /** Messages being sent, by recipient; the outbox limits their number. */
  const underWay = new Map<string, number>();

  function isBelow(party: string, most: { hour: number; day: number }): boolean {
    const at = now();
    return queries.counted(party, at - hourMs) < most.hour && queries.counted(party, at - dayMs) < most.day;
  }

  function note(party: string): void {
    queries.forget(now() - dayMs, forgottenAtOnce);
    queries.note(party, now());
  }

  const recipient = (kind: LetterKind, address: string) =>
    `${kind} to ${createHash('sha256').update(caseFold(address)).digest('base64url')}`;

  function hasRoom(party: string): boolean {
    const taken = underWay.get(party) ?? 0;
    return isBelow(party, { hour: mostToRecipient.hour - taken, day: mostToRecipient.day - taken });
  }

  const refused = () => tooMany('mail_limit', 'Too many emails were sent. Try again later.', hourMs / 1000);

  return {
    consume(party) {
      if (queries.countOf(party) >= (mostWaiting - queries.count()) * share) {
        throw unavailable('Too many emails are waiting to be sent. Try again later.');
      }
      if (!isBelow(`by ${party}`, mostOfParty)) throw refused();
      note(`by ${party}`);
    },
    mayReceive: (kind, address) => hasRoom(recipient(kind, address)),
    reserve(kind, address) {
      const party = recipient(kind, address);
      if (!hasRoom(party)) return undefined;
      underWay.set(party, (underWay.get(party) ?? 0) + 1);
      return () => {
        const left = (underWay.get(party) ?? 0) - 1;
        if (left > 0) underWay.set(party, left);
        else underWay.delete(party);
      };
    },
    roomAt(kind, address) {
      const party = recipient(kind, address);
      const { hour, day } = mostToRecipient;
      const ends = [
        // The last place may belong to a message being sent, which releases it if it does not arrive.
        now() + underWayMs,
        (queries.newest(party, hour) ?? Number.NEGATIVE_INFINITY) + hourMs,
        (queries.newest(party, day) ?? Number.NEGATIVE_INFINITY) + dayMs,
      ];
      return Math.max(...ends);
    },
    noteReceived: (kind, address) => note(recipient(kind, address)),
    onceADay(what, tell) {
      const party = `told: ${what}`;
      if (queries.counted(party, now() - dayMs) === 0 && tell()) note(party);
    },
    tooManyFor: refused,
  };
}
