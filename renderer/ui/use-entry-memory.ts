import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useRouter } from 'vue-router';

/**
 * For how long something rests before it is written down: browsers limit how often an entry may change. Milliseconds.
 */
const rest = 150;

/**
 * What a page keeps in its entry of the history under `name`: whoever comes back, by the arrow, the browser or a
 * reload, finds it; whoever opens the page anew does not. `before` is what was kept there, of unknown shape: an older
 * version of the app may have written it.
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
    // Going back changes the entry before the page is gone: it may be another page's by now.
    if (value === undefined || window.location.pathname !== path) return;
    window.history.replaceState({ ...window.history.state, [name]: value }, '');
  }

  // Whoever leaves sooner than it rests comes back to the same place too.
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
