import { type RouteLocationRaw, useRouter } from 'vue-router';

/**
 * Returns a function that goes to the list that a page belongs to: back in the history where that was the page before,
 * so that it is found as it was left, else to its beginning.
 */
export function useBackTo(list: () => RouteLocationRaw): () => void {
  const router = useRouter();
  return () => {
    const to = router.resolve(list());
    // Where vue-router came from, as it wrote it into the entry of the history.
    const before: unknown = (window.history.state as { back?: unknown } | null)?.back;
    const isBefore = typeof before === 'string' && router.resolve(before).name === to.name;
    if (isBefore) router.back();
    else void router.push(to);
  };
}
