import { computed, ref, shallowRef } from 'vue';

/** The target of a bulk action: individual links, or all matches of the list's filter with exceptions. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<number> };

const nothing: Selection = { kind: 'some', ids: new Set() };

/**
 * The selected rows. "All" means all matches on the server, loaded or not; rows deselected from it are recorded as
 * exceptions.
 */
export function linkSelection(total: () => number) {
  const selection = shallowRef<Selection>(nothing);
  /** Anchor row index of the range selection. */
  const anchor = ref<number>();

  const count = computed(() =>
    selection.value.kind === 'some'
      ? selection.value.ids.size
      : Math.max(0, total() - selection.value.except.size),
  );

  function has(id: number): boolean {
    return selection.value.kind === 'some' ? selection.value.ids.has(id) : !selection.value.except.has(id);
  }

  function set(ids: Iterable<number>, isSelected: boolean): void {
    const current = selection.value;
    const list = new Set(current.kind === 'some' ? current.ids : current.except);
    for (const id of ids) {
      // For "all", the list contains the exceptions.
      if (isSelected === (current.kind === 'some')) list.add(id);
      else list.delete(id);
    }
    selection.value = current.kind === 'some' ? { kind: 'some', ids: list } : { kind: 'all', except: list };
  }

  return {
    selection,
    anchor,
    count,
    isEmpty: computed(() => count.value === 0),
    isAll: computed(() => count.value > 0 && count.value === total()),
    has,
    set,
    toggle(id: number, index: number): void {
      set([id], !has(id));
      anchor.value = index;
    },
    selectAll(): void {
      selection.value = { kind: 'all', except: new Set() };
    },
    clear(): void {
      selection.value = nothing;
      anchor.value = undefined;
    },
  };
}

export type LinkSelection = ReturnType<typeof linkSelection>;
