import { type Ref, watch } from 'vue';
import type { pagedRows } from './paged-rows.ts';

/**
 * Keeps `index`, the place of a link in the list, on that link while rows are added or removed above it, so that a key
 * never acts on another one. A link that has gone leaves its place to the next one: at once on the screen, and for good
 * with `settle`, which is to be called when the list is up to date; until then it may come back.
 */
export function followLink(
  index: Ref<number | undefined>,
  list: Pick<ReturnType<typeof pagedRows>, 'rows' | 'indexOf'>,
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

  return {
    settle(): void {
      if (placeNow() === undefined) note();
    },
  };
}
