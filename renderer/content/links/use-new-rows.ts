import { type Ref, ref, type ShallowRef, watch } from 'vue';
import type { Link } from '../../../server/contract/links.ts';
import type { LinkView } from './link-view.ts';

/** How many rows at the top are watched for new ones; further down nobody would see the mark. */
const watched = 30;

/** How long a new row stays marked; a little more than its animation. Milliseconds. */
const markedFor = 3200;

/**
 * The ids of links that came to the top of the list while it was open, for a moment each. Rows that a search or
 * another order brings are not new.
 */
export function useNewRows(
  rows: Readonly<ShallowRef<readonly (Link | undefined)[]>>,
  view: Readonly<Ref<LinkView>>,
): Readonly<Ref<ReadonlySet<number>>> {
  const arrived = ref<ReadonlySet<number>>(new Set());
  let newest: number | undefined;

  watch(view, () => {
    newest = undefined;
  });
  watch(rows, (list) => {
    const ids = list.slice(0, watched).flatMap((link) => link?.id ?? []);
    const before = newest;
    newest = Math.max(before ?? 0, ...ids);
    // The first rows of a view are what there is; only what comes after them is new.
    if (before === undefined || before === 0) return;
    const fresh = ids.filter((id) => id > before);
    if (fresh.length === 0) return;
    arrived.value = new Set([...arrived.value, ...fresh]);
    setTimeout(() => {
      arrived.value = new Set([...arrived.value].filter((id) => !fresh.includes(id)));
    }, markedFor);
  });
  return arrived;
}
