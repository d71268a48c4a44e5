import { useRouter } from 'vue-router';
import { useInstanceStore } from '../../api/instance.ts';
import { storedLastPage, storeLastPage } from '../session/last-page.ts';
import { useSessionStore } from '../session/session.ts';

/**
 * Returns `switchTo(team, path)`: switches to a team, or with undefined to the personal account, at `path` or else its
 * last page. Filters, drafts and saved views are stored per account (`useInstanceStorage`).
 */
export function useAccountSwitch(): (team: number | undefined, path?: string) => Promise<void> {
  const store = useInstanceStore();
  const session = useSessionStore();
  const router = useRouter();
  return async (team, path) => {
    if (team !== store.team) {
      const here = router.currentRoute.value;
      if (!here.meta.bare) storeLastPage(store.scope, here.fullPath);
      await session.actFor(team);
    }
    const to = router.resolve(path ?? storedLastPage(store.scope) ?? '/');
    await router.push({ path: to.path, query: to.query, hash: to.hash, force: true });
  };
}
