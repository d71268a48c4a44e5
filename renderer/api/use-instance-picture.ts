import { type ComputedRef, computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/**
 * The `src` of a picture served by the instance, from its API URL. The page may only load from its own origin: in a
 * browser that is the instance; the desktop app proxies through the main process.
 */
export function useInstancePicture(address: () => string | undefined): ComputedRef<string | undefined> {
  const store = useInstanceStore();
  return computed(() => {
    const text = address();
    if (!text || !URL.canParse(text)) return undefined;
    const { pathname, search } = new URL(text);
    const way = window.desktop ? `/instance/${encodeURIComponent(store.currentId)}` : '';
    return way + pathname + search;
  });
}
