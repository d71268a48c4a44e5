import { type ComputedRef, computed, onScopeDispose, shallowReactive } from 'vue';

/** A list to which components add items for their lifetime; those of the newest component are last. */
export function offers<Item>() {
  const sources = shallowReactive<ComputedRef<readonly Item[]>[]>([]);
  return {
    /** Adds items for the lifetime of the calling component. */
    add(list: () => readonly Item[]): void {
      const source = computed(list);
      sources.push(source);
      onScopeDispose(() => sources.splice(sources.indexOf(source), 1));
    },
    all: (): readonly Item[] => sources.flatMap((source) => source.value),
  };
}
