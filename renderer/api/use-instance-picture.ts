import { type ComputedRef, computed } from 'vue';
import { useInstanceStore } from './instance.ts';

/**
 * The `src` of a picture that the instance serves, from the address that the wire has for it. The page may load from
 * its own origin only: in a browser that is the instance, in the desktop a way through the main process.
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
