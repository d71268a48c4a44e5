import { type Ref, ref, type ShallowRef, watch } from 'vue';
import type { Link } from '../../../server/contract/links.ts';
import type { LinkView } from './link-view.ts';

/** Number of rows at the top watched for new links; further down, the highlight would not be visible. */
const watched = 30;

/** How long a new row stays highlighted, in milliseconds; slightly longer than its animation. */
const markedFor = 3200;

/**
 * Ids of links recently added to the top of the open list. Rows that appear because of a search or sort order are not
 * new.
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
    // The initial rows of a view are not new; only later ones are.
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
