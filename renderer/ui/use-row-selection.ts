import { computed, reactive, ref, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { type Authored, useRole } from '../api/use-role.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface Row extends Authored {
  readonly id: number;
}

interface Options<Shown extends Row> {
  /** The rows shown; undefined while loading. */
  rows: () => readonly Shown[] | undefined;
  /** The position in the list: page, search, filters. Changing it clears the selection. */
  place: () => readonly unknown[];
}

/** The selected rows of a page. Rows that are no longer shown are deselected; Esc clears the selection. */
export function useRowSelection<Shown extends Row>({ rows, place }: Options<Shown>) {
  const { t } = useI18n();
  const ticked = ref<ReadonlySet<number>>(new Set());
  /** Anchor row of the range selection. */
  const anchor = ref<number>();
  const { mayEdit } = useRole();
  /** Only rows the user may edit can be selected. */
  const shown = computed(() => (rows() ?? []).filter((row) => !('created_by' in row) || mayEdit(row)));
  const selected = computed(() => shown.value.filter((row) => ticked.value.has(row.id)));
  const count = computed(() => selected.value.length);
  const isAll = computed(() => count.value > 0 && count.value === shown.value.length);

  function clear(): void {
    ticked.value = new Set();
    anchor.value = undefined;
  }

  /** The rows from the anchor to `id`, inclusive; only `id` if the anchor is not shown. */
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
    /** Toggles a row; with `isRange` (Shift), selects all rows from the anchor to it. */
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

/** The part of a selection that a table needs; keys are the table's row keys. */
export interface RowSelection {
  readonly count: number;
  readonly isAll: boolean;
  has(key: string | number): boolean;
  toggle(key: string | number, isRange?: boolean): void;
  toggleAll(): void;
}
