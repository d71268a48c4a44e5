import { useIntervalFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, onScopeDispose, reactive, shallowRef, watch } from 'vue';
import { notePresence, type Present, presenceSeconds } from '../../server/contract/presence.ts';
import type { AuthoredResource } from '../../server/contract/roles.ts';
import { call } from '../api/client.ts';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { useInstanceStore } from '../api/instance.ts';
import { useLiveEvents } from '../api/live.ts';

/** A record shown by a page, a form, or both. */
export interface ShownRecord {
  readonly resource: AuthoredResource;
  readonly id: number;
}

interface Spot {
  readonly record: ShownRecord;
  /** The components that show it, and whether for editing. */
  readonly shownBy: Map<symbol, boolean>;
  people: readonly Present[];
}

const keyOf = ({ resource, id }: ShownRecord) => `${resource}/${id}`;

/** The records shown in this window: the server is told about each once, however many components show it. */
const useSpots = defineStore('presence', () => {
  const spots = reactive(new Map<string, Spot>());

  async function say({ record, shownBy }: Spot): Promise<void> {
    const editing = [...shownBy.values()].includes(true);
    const { data } = await call(notePresence, { body: { ...record, editing, left: shownBy.size === 0 } });
    const spot = spots.get(keyOf(record));
    if (spot) spot.people = data.people;
  }

  return {
    spots,
    sayAll(): void {
      for (const spot of spots.values()) ignoreRejection(say(spot));
    },
    show(record: ShownRecord, by: symbol, editing: boolean): void {
      const known = spots.get(keyOf(record));
      const spot: Spot = known ?? { record, shownBy: new Map(), people: [] };
      spot.shownBy.set(by, editing);
      spots.set(keyOf(record), spot);
      ignoreRejection(say(spot));
    },
    hide(record: ShownRecord, by: symbol): void {
      const spot = spots.get(keyOf(record));
      if (!spot?.shownBy.delete(by)) return;
      if (spot.shownBy.size === 0) spots.delete(keyOf(record));
      ignoreRejection(say(spot));
    },
  };
});

/**
 * Reports that a record is being viewed or edited while the component shows it, and provides who else is. Nothing is
 * reported in a personal account, which has no other members.
 */
export function usePresence(shown: () => ShownRecord | undefined, editing: () => boolean = () => false) {
  const store = useInstanceStore();
  const board = useSpots();
  const by = Symbol('shown');
  const self = computed(() => store.account?.member?.id);
  const isShared = computed(
    () => self.value !== undefined && self.value !== store.account?.id && store.can('presence'),
  );
  const record = computed(() => (isShared.value ? shown() : undefined));
  const at = shallowRef<ShownRecord>();

  // Watched by key: pages create a new record object on every render.
  watch(
    [() => record.value && keyOf(record.value), editing],
    ([key, isEditing]) => {
      if (at.value && keyOf(at.value) !== key) board.hide(at.value, by);
      at.value = record.value;
      if (at.value) board.show(at.value, by, isEditing);
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    if (at.value) board.hide(at.value, by);
  });

  /** Everyone except the current user. */
  const others = computed(() => {
    const spot = at.value && board.spots.get(keyOf(at.value));
    return (spot?.people ?? []).filter((person) => person.id !== self.value);
  });
  return { others };
}

/** Repeats the presence reports and processes live events about others. Called once by the frame. */
export function usePresenceUpkeep(): void {
  const board = useSpots();
  useIntervalFn(board.sayAll, presenceSeconds * 1000);
  useLiveEvents((event) => {
    if (event.type !== 'presence') return;
    const spot = board.spots.get(`${event.resource}/${event.id}`);
    if (spot) spot.people = event.people;
  });
}
