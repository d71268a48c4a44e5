import { computed, reactive, ref, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { type Authored, useRole } from '../api/use-role.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface Row extends Authored {
  readonly id: number;
}

interface Options<Shown extends Row> {
  /** The rows that are shown; undefined while they are on their way. */
  rows: () => readonly Shown[] | undefined;
  /** Where in the list they stand: page, search, filters. Elsewhere a selection begins anew. */
  place: () => readonly unknown[];
}

/** The rows of a page that are ticked. What is not shown any more is not selected any more; Esc lets all go. */
export function useRowSelection<Shown extends Row>({ rows, place }: Options<Shown>) {
  const { t } = useI18n();
  const ticked = ref<ReadonlySet<number>>(new Set());
  /** The row that a range starts from. */
  const anchor = ref<number>();
  const { mayEdit } = useRole();
  /** What may be changed; others have no box to tick. */
  const shown = computed(() => (rows() ?? []).filter((row) => !('created_by' in row) || mayEdit(row)));
  const selected = computed(() => shown.value.filter((row) => ticked.value.has(row.id)));
  const count = computed(() => selected.value.length);
  const isAll = computed(() => count.value > 0 && count.value === shown.value.length);

  function clear(): void {
    ticked.value = new Set();
    anchor.value = undefined;
  }

  /** The rows from the anchor to this one, both included; this one alone where there is no anchor in sight. */
  function rangeTo(id: number): number[] {
    const ids = shown.value.map((row) => row.id);
    const from = anchor.value === undefined ? -1 : ids.indexOf(anchor.value);
    const to = ids.indexOf(id);
    return from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  watch(() => JSON.stringify(place()), clear);
  useShortcuts(() => [
    { keys: 'escape', label: t('ui.selection.clear'), enabled: count.value > 0, run: clear },
  ]);

  return reactive({
    selected,
    count,
    isAll,
    has: (id: number): boolean => ticked.value.has(id),
    /** Ticks a row or lets it go; with `isRange` (Shift is held) everything from the last one to it is ticked. */
    toggle(id: number, isRange = false): void {
      const next = new Set(ticked.value);
      if (isRange) for (const each of rangeTo(id)) next.add(each);
      else if (!next.delete(id)) next.add(id);
      ticked.value = next;
      anchor.value = id;
    },
    toggleAll(): void {
      ticked.value = isAll.value ? new Set() : new Set(shown.value.map((row) => row.id));
    },
    clear,
  });
}

/** What a table needs of a selection; a key is what the table tells its rows apart by. */
export interface RowSelection {
  readonly count: number;
  readonly isAll: boolean;
  has(key: string | number): boolean;
  toggle(key: string | number, isRange?: boolean): void;
  toggleAll(): void;
}
