import { type Ref, watch } from 'vue';
import type { pagedRows } from './paged-rows.ts';

export type FollowedLink = ReturnType<typeof followLink>;

/** How far from its former place a link is looked for. Rows. */
const reach = 50;

/**
 * Keeps `index`, the place of a link in the list, on that link while rows are added or removed above it, so that a key
 * never acts on another one. A link that has gone leaves its place to the next one: at once on the screen, and for good
 * with `settle`, which looks for the link nearby and is to be called when the list is up to date; until then it may come
 * back.
 */
export function followLink(
  index: Ref<number | undefined>,
  list: Pick<ReturnType<typeof pagedRows>, 'rows' | 'indexOf' | 'ensure'>,
) {
  let id: number | undefined;
  const note = () => {
    id = index.value === undefined ? undefined : list.rows.value[index.value]?.id;
  };
  const placeNow = () => (id === undefined ? undefined : list.indexOf(id));

  watch(index, note, { flush: 'sync', immediate: true });
  watch(
    list.rows,
    () => {
      if (id === undefined) note();
      else index.value = placeNow() ?? index.value;
    },
    { flush: 'sync' },
  );

  async function settle(): Promise<void> {
    const place = index.value;
    if (id !== undefined && place !== undefined && placeNow() === undefined)
      await list.ensure(place - reach, place + reach);
    if (placeNow() === undefined) note();
  }

  return {
    index,
    settle,
    /** The id of the link; undefined if there is none, or if its row is not loaded. */
    id: () => id,
    /**
     * Goes to the link with the given id, which was at `place` when the list was left: at once if its row is loaded,
     * or else as soon as it is. A link that is nowhere near leaves its place to the one there now. Resolves to the
     * number of rows by which the link has moved; 0 if it was not found, or if somebody has gone elsewhere meanwhile.
     */
    async returnTo(place: number | undefined, link: number | undefined): Promise<number> {
      index.value = place;
      if (place === undefined || link === undefined) return 0;
      id = link;
      const now = placeNow();
      if (now !== undefined) {
        index.value = now;
        return now - place;
      }
      await settle();
      return id === link ? (index.value ?? place) - place : 0;
    },
  };
}
