import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useRouter } from 'vue-router';

/** Debounce time before writing, in milliseconds: browsers limit how often history entries may change. */
const rest = 150;

/**
 * State that a page keeps in its history entry under `name`: it is restored on going back or reloading, but not on
 * opening the page again. `before` is the stored value, of unknown shape: an older version of the app may have written
 * it.
 */
export function useEntryMemory(name: string): { before: unknown; keep: (value: object) => void } {
  const path = window.location.pathname;
  const entry = window.history.state as Record<string, unknown> | null;
  let latest: object | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function write(): void {
    clearTimeout(timer);
    const value = latest;
    latest = undefined;
    // Going back changes the history entry before the page is unmounted: the entry may already belong to another page.
    if (value === undefined || window.location.pathname !== path) return;
    window.history.replaceState({ ...window.history.state, [name]: value }, '');
  }

  // Write pending state immediately when leaving the page.
  onScopeDispose(useRouter().beforeEach(write));
  useEventListener(window, 'pagehide', write);
  onScopeDispose(() => clearTimeout(timer));

  return {
    before: entry?.[name],
    keep(value) {
      latest = value;
      clearTimeout(timer);
      timer = setTimeout(write, rest);
    },
  };
}
