import { type Present, presenceSeconds } from '../../contract/presence.ts';
import type { AuthoredResource } from '../../contract/roles.ts';
import { tooMany } from '../errors.ts';
import type { EndedMembership } from './ended-membership.ts';

interface Place {
  readonly accountId: number;
  readonly resource: AuthoredResource;
  readonly id: number;
}

/** A window or program viewing a record; the key distinguishes windows of one person well enough. */
interface Visit {
  readonly keyId: number;
  readonly personId: number;
  readonly name: string;
  readonly editing: boolean;
  /** Monotonic milliseconds. */
  readonly until: number;
}

interface Spot extends Place {
  /** By the key's id. */
  readonly visits: Map<number, Visit>;
}

/** Limits: records per key, visits per record and visits in total, far above normal use. */
const mostPerKey = 20;
const mostPerRecord = 50;
const mostInAll = 5_000;
const lastsMs = presenceSeconds * 2_500;

interface Options {
  monotonic: () => number;
  /** Runs a work in a turn of its own: thousands of visits may end at once, and redirects would wait for all. */
  take: (work: () => void) => void;
  /** Called when the viewers of a record change. */
  onChanged: (place: Place, people: Present[]) => void;
}

/** Tracks who is currently viewing which record. In memory only: after a restart all clients report again. */
export function presenceBoard({ monotonic, take, onChanged }: Options) {
  const spots = new Map<string, Spot>();

  const keyOf = ({ accountId, resource, id }: Place) => `${accountId}/${resource}/${id}`;

  function peopleAt(place: Place): Present[] {
    const people = new Map<number, Present>();
    for (const { personId, name, editing } of spots.get(keyOf(place))?.visits.values() ?? []) {
      const isEditing = editing || people.get(personId)?.editing === true;
      people.set(personId, { id: personId, name, editing: isEditing });
    }
    return [...people.values()];
  }

  /** Removes a record's matching visits, and notifies if its viewers change. */
  function removeFrom(key: string, isMeant: (visit: Visit) => boolean): void {
    const spot = spots.get(key);
    const leaving = [...(spot?.visits.values() ?? [])].filter(isMeant);
    if (!spot || leaving.length === 0) return;
    const before = JSON.stringify(peopleAt(spot));
    for (const { keyId } of leaving) spot.visits.delete(keyId);
    const people = peopleAt(spot);
    if (spot.visits.size === 0) spots.delete(key);
    if (JSON.stringify(people) !== before) onChanged(spot, people);
  }

  /** Removes matching visits soon, those of each record in a turn of its own. */
  function remove(isMeant: (visit: Visit) => boolean, accountId?: number): void {
    for (const [key, spot] of spots) {
      if (accountId !== undefined && spot.accountId !== accountId) continue;
      if (spot.visits.values().some(isMeant)) take(() => removeFrom(key, isMeant));
    }
  }

  function checkRoom(spot: Spot | undefined, keyId: number): void {
    let [ofKey, inAll] = [0, 0];
    for (const { visits } of spots.values()) {
      inAll += visits.size;
      if (visits.has(keyId)) ofKey += 1;
    }
    if (ofKey < mostPerKey && inAll < mostInAll && (spot?.visits.size ?? 0) < mostPerRecord) return;
    throw tooMany(
      'too_many_visits',
      'Too many records are open at once. Close some of them.',
      presenceSeconds,
    );
  }

  return {
    peopleAt,

    /** Someone is viewing a record, or still is. Throws 429 if there are too many. */
    note(place: Place, visit: Omit<Visit, 'until'>): void {
      const key = keyOf(place);
      const spot = spots.get(key);
      if (!spot?.visits.has(visit.keyId)) checkRoom(spot, visit.keyId);
      const before = JSON.stringify(peopleAt(place));
      const visits = spot?.visits ?? new Map<number, Visit>();
      visits.set(visit.keyId, { ...visit, until: monotonic() + lastsMs });
      spots.set(key, { ...place, visits });
      const people = peopleAt(place);
      if (JSON.stringify(people) !== before) onChanged(place, people);
    },

    /** Someone has closed a record. */
    leave: (place: Place, keyId: number): void => removeFrom(keyOf(place), (visit) => visit.keyId === keyId),

    /** Removes visits that have not been renewed for a while. */
    sweep(): void {
      const now = monotonic();
      remove(({ until }) => until <= now);
    },

    leaveAll: (keyId: number): void => remove((visit) => visit.keyId === keyId),
    leaveMember: ({ accountId, personId }: EndedMembership): void =>
      remove((visit) => visit.personId === personId, accountId),
    count: (): number => spots.size,
  };
}

export type PresenceBoard = ReturnType<typeof presenceBoard>;
