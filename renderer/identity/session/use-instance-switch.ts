import { useRouter } from 'vue-router';
import { useInstanceStore } from '../../api/instance.ts';
import { keepPage, keptPage } from './kept-page.ts';
import { useSessionStore } from './session.ts';

/**
 * Returns `switchTo(id, page)`: shows another instance at a page, else at the one that was open when it was shown last.
 * Filters, drafts and the frame's shape are stored per instance by themselves (`useInstanceStorage`).
 */
export function useInstanceSwitch(): (id: string, page?: string) => Promise<void> {
  const store = useInstanceStore();
  const session = useSessionStore();
  const router = useRouter();
  return async (id, wanted) => {
    if (id === store.currentId && wanted === undefined) return;
    if (session.state === 'signed-in') {
      keepPage(store.scope, router.currentRoute.value.fullPath);
    }
    await session.switchTo(id);
    const page = wanted ?? keptPage(store.scope) ?? '/';
    const { path, query, hash } = router.resolve(page === '/instances' ? '/' : page);
    await router.replace({ path, query, hash, force: true });
  };
}
