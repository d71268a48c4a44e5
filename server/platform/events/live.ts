import type { ServerEvent } from '../../contract/events.ts';
import type { Click } from '../../contract/stats.ts';
import { tooMany } from '../errors.ts';
import type { Change } from './changes.ts';
import { type CountedLink, newestClicks } from './counted-link.ts';
import type { EndedMembership } from './ended-membership.ts';

/** A client of a live page. */
interface Watcher {
  /** The account it watches. */
  readonly userId: number;
  readonly personId: number;
  readonly keyId: number;
  readonly timezone: string;
  /** Sends events, in this order. */
  send(events: readonly ServerEvent[]): void;
  /** Ends the stream. */
  end(): void;
}

export interface Live {
  /** Adds a watcher and returns a function that removes it. Throws 429 if there are too many. */
  watch(watcher: Watcher): () => void;
  /** Notifies the watchers of an account, and no others, of a change. */
  changed(change: Change): void;
  /** Sends any other event to the watchers of an account. */
  tell(userId: number, event: ServerEvent): void;
  /** Records counted clicks; costs nothing if their owners are not watching. */
  clicksCounted(links: readonly CountedLink[]): void;
  /** Ends the streams of a revoked key. */
  closeFor(keyId: number): void;
  /** Ends a person's streams of an account. */
  closeForMember(ended: EndedMembership): void;
  /** Ends all streams, and rejects new ones from now on. */
  closeAll(): void;
}

export interface LiveOptions {
  /** All-time click counts of links. */
  totalsOf: (linkIds: readonly number[]) => Promise<{ id: number; clicks: number }[]>;
  /** Clicks as they are presented to a user. */
  clicksOf: (clickIds: readonly number[], timezone: string) => Promise<Click[]>;
  /**
   * Runs a work in a turn of its own: every event costs each of up to 500 watchers a check of its permissions, and the
   * end of each costs a write; redirects would wait for all of them.
   */
  take: (work: () => void) => void;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  onError: (error: unknown) => void;
}

/** Live streams per person, across all keys and sessions, and in total (decision 0008). */
const mostPerPerson = 20;
const mostInAll = 500;
const retrySeconds = 60;
/** Clicks of a link are sent at most this often. */
const pauseMs = 250;
/** The limits of one round of messages; under higher load the rest follows or is dropped (contract/events.ts). */
const linksPerRound = 200;
const recentPerRound = 50;
const mostWaiting = 5000;

/** What is queued for one user. */
interface Round {
  clickIds: Map<number, number[]>;
  timer: NodeJS.Timeout | undefined;
  lastAt: number;
}

/** Tracks watchers, and notifies each of changes to their own account. */
export function live({ totalsOf, clicksOf, take, monotonic, onError }: LiveOptions): Live {
  const watchers = new Map<number, Set<Watcher>>();
  const rounds = new Map<number, Round>();
  let count = 0;
  let stopped = false;

  function publish(userId: number, events: readonly ServerEvent[]): void {
    for (const watcher of watchers.get(userId) ?? []) {
      take(() => {
        if (watchers.get(userId)?.has(watcher)) watcher.send(events);
      });
    }
  }

  function schedule(userId: number, round: Round): void {
    if (round.timer) return;
    const wait = Math.max(0, round.lastAt + pauseMs - monotonic());
    round.timer = setTimeout(() => {
      round.timer = undefined;
      round.lastAt = monotonic();
      tell(userId, round).catch(onError);
    }, wait);
    round.timer.unref();
  }

  async function tell(userId: number, round: Round): Promise<void> {
    const [first] = watchers.get(userId) ?? [];
    if (!first) return;
    const links = [...round.clickIds.keys()].slice(0, linksPerRound);
    const sample: number[] = [];
    for (const link of links) {
      const room = recentPerRound - sample.length;
      if (room > 0) sample.push(...(round.clickIds.get(link) ?? []).slice(-Math.min(room, newestClicks)));
      round.clickIds.delete(link);
    }
    if (round.clickIds.size > 0) schedule(userId, round);
    const [totals, clicks] = await Promise.all([totalsOf(links), clicksOf(sample, first.timezone)]);
    const events = totals.map(({ id, clicks: count }) => ({
      ...{ type: 'click' as const, link: id, count },
      recent: clicks.filter(({ link }) => link === id),
    }));
    if (events.length > 0) publish(userId, events);
  }

  function remove(watcher: Watcher): void {
    const ofUser = watchers.get(watcher.userId);
    if (!ofUser?.delete(watcher)) return;
    count -= 1;
    if (ofUser.size > 0) return;
    watchers.delete(watcher.userId);
    clearTimeout(rounds.get(watcher.userId)?.timer);
    rounds.delete(watcher.userId);
  }

  function ofPerson(personId: number): number {
    // At most as many as there may be streams in total.
    return everybody().filter((watcher) => watcher.personId === personId).length;
  }

  const everybody = () => [...watchers.values()].flatMap((ofUser) => [...ofUser]);

  /** Ends the streams of a person or key, of which there are few, before anything else happens to their connections. */
  function end(isMeant: (watcher: Watcher) => boolean): void {
    for (const watcher of everybody().filter(isMeant)) {
      remove(watcher);
      watcher.end();
    }
  }

  return {
    watch(watcher) {
      if (stopped) {
        // A kept-alive connection may still send requests during shutdown; a new stream would delay it.
        watcher.end();
        return () => {};
      }
      const ofUser = watchers.get(watcher.userId) ?? new Set();
      if (ofPerson(watcher.personId) >= mostPerPerson) {
        const message = `You have reached the limit of ${mostPerPerson} live streams. Close one.`;
        throw tooMany('too_many_streams', message, retrySeconds);
      }
      if (count >= mostInAll) {
        const message = 'The server has reached its limit of live streams. Try again in a minute.';
        throw tooMany('too_many_streams', message, retrySeconds);
      }
      count += 1;
      ofUser.add(watcher);
      watchers.set(watcher.userId, ofUser);
      return () => remove(watcher);
    },
    changed: ({ accountId, resource, ids }) => publish(accountId, [{ type: 'changed', resource, ids }]),
    tell: (userId, event) => publish(userId, [event]),
    clicksCounted(links) {
      if (watchers.size === 0) return;
      for (const { userId, linkId, newest } of links) {
        if (!watchers.has(userId)) continue;
        const round = rounds.get(userId) ?? { clickIds: new Map(), timer: undefined, lastAt: -pauseMs };
        rounds.set(userId, round);
        const waiting = round.clickIds.get(linkId);
        if (!waiting && round.clickIds.size >= mostWaiting) continue;
        round.clickIds.set(linkId, [...(waiting ?? []), ...newest].slice(-newestClicks));
        schedule(userId, round);
      }
    },
    closeFor: (keyId) => end((watcher) => watcher.keyId === keyId),
    closeForMember: ({ accountId, personId }) =>
      end((watcher) => watcher.userId === accountId && watcher.personId === personId),
    closeAll() {
      stopped = true;
      for (const watcher of everybody()) {
        remove(watcher);
        take(() => watcher.end());
      }
    },
  };
}
