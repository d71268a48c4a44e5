import type { DropdownMenuItem } from '@nuxt/ui';
import { type ComputedRef, computed, onScopeDispose, shallowReactive } from 'vue';

/** Newest last. */
const offered = shallowReactive<ComputedRef<readonly DropdownMenuItem[]>[]>([]);

/**
 * Registers the actions of the current page, mostly those of the record that it shows, for the lifetime of the calling
 * component; the command palette offers them.
 */
export function usePageActions(list: () => readonly DropdownMenuItem[]): void {
  const source = computed(list);
  offered.push(source);
  onScopeDispose(() => offered.splice(offered.indexOf(source), 1));
}

/** The actions of the current page that can be run now. */
export function offeredActions(): readonly DropdownMenuItem[] {
  return offered.flatMap((source) => source.value).filter(({ disabled }) => disabled !== true);
}
