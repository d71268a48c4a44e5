import { useRouter } from 'vue-router';
import { useInstanceStore } from '../../api/instance.ts';
import { storedLastPage, storeLastPage } from './last-page.ts';
import { useSessionStore } from './session.ts';

/**
 * Returns `switchTo(id, page)`: switches to another instance, at `page` or else its last page. Filters, drafts and
 * layout are stored per instance (`useInstanceStorage`).
 */
export function useInstanceSwitch(): (id: string, page?: string) => Promise<void> {
  const store = useInstanceStore();
  const session = useSessionStore();
  const router = useRouter();
  return async (id, wanted) => {
    if (id === store.currentId && wanted === undefined) return;
    if (session.state === 'signed-in') {
      storeLastPage(store.scope, router.currentRoute.value.fullPath);
    }
    await session.switchTo(id);
    const page = wanted ?? storedLastPage(store.scope) ?? '/';
    const { path, query, hash } = router.resolve(page === '/instances' ? '/' : page);
    await router.replace({ path, query, hash, force: true });
  };
}
