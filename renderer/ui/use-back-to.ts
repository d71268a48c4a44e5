import { type RouteLocationRaw, useRouter } from 'vue-router';

/**
 * Returns a function that navigates to the parent list: back in history if that was the previous page, which restores
 * its scroll position and search, otherwise to a new entry.
 */
export function useBackTo(list: () => RouteLocationRaw): () => void {
  const router = useRouter();
  return () => {
    const to = router.resolve(list());
    // The previous route, as vue-router stores it in the history entry.
    const before: unknown = (window.history.state as { back?: unknown } | null)?.back;
    const isBefore = typeof before === 'string' && router.resolve(before).name === to.name;
    if (isBefore) router.back();
    else void router.push(to);
  };
}
