import { createHash } from 'node:crypto';
import { accountParty } from '../concurrency/fair-queue.ts';
import { type Refusal, tooMany, unavailable } from '../errors.ts';
import { caseFold } from '../text/case-fold.ts';
import type { LetterKind } from './letter-texts.ts';
import type { OutboxQueries } from './queries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Messages in an hour and in a day: in the name of one account or network, and of one kind to one address. Whoever has
 * asked for many of one kind must not keep the others, such as the news of a sign-in, from arriving.
 */
const mostOfParty = { hour: 30, day: 100 };
const mostToRecipient = { hour: 5, day: 15 };
/** Messages that wait at most, of all parties together, and the part of the free places that one may have. */
const mostWaiting = 2_000;
const share = 1 / 8;
const forgottenAtOnce = 100;
/** After so long a message that was under way has arrived or not. */
const underWayMs = 60_000;

/** Who posts news of an account's security: whoever sends too much in its name must not keep these from its owner. */
export function securityParty(userId: number): string {
  return `security of ${accountParty(userId)}`;
}

export interface MailLimits {
  /** Counts a message of a party. Throws 429 when it sends too many, 503 when too many wait. */
  consume(party: string): void;
  /** Whether an address may get one more of a kind. */
  mayReceive(kind: LetterKind, address: string): boolean;
  /**
   * Takes a place among what an address may get of a kind while a message is under way to it, so that two at once do
   * not both go by the last one; undefined where there is none. The function it returns gives the place back.
   */
  reserve(kind: LetterKind, address: string): (() => void) | undefined;
  /** When an address that has no place for one more of a kind may get the next one. */
  roomAt(kind: LetterKind, address: string): number;
  /** Counts a message that an address got. */
  noteReceived(kind: LetterKind, address: string): void;
  /** Has something told unless it was within a day; `tell` says whether it is. */
  onceADay(what: string, tell: () => boolean): void;
  /** The refusal for an address that got too many. */
  tooManyFor(): Refusal;
}

/**
 * Bounds what is sent: whoever may make the server write to somebody could otherwise fill mailboxes in its name. The
 * counts are stored, so that a restart forgives nobody; an address is kept as its hash.
 */
export function mailLimits(queries: OutboxQueries, now: () => number): MailLimits {
  /** Messages under way, by recipient; the outbox bounds how many that are. */
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
        // The last place may be that of a message under way, which gives it back when it does not arrive.
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
