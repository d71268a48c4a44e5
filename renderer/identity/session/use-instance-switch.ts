import { useRouter } from 'vue-router';
import { useInstanceStore } from '../../api/instance.ts';
import { storageKey } from '../../api/session-token.ts';
import { useSessionStore } from './session.ts';

/**
 * Returns `switchTo(id)`: shows another instance at the page that was open when it was shown last. Filters, drafts and
 * the frame's shape are stored per instance by themselves (`useInstanceStorage`).
 */
export function useInstanceSwitch(): (id: string) => Promise<void> {
  const store = useInstanceStore();
  const session = useSessionStore();
  const router = useRouter();
  return async (id) => {
    if (id === store.currentId) return;
    if (session.state === 'signed-in') {
      localStorage.setItem(storageKey(store.currentId, 'page'), router.currentRoute.value.fullPath);
    }
    await session.switchTo(id);
    const page = localStorage.getItem(storageKey(id, 'page')) ?? '/';
    // Only a path of ours; the storage is the page's own, but a version before may have written it.
    await router.replace(/^\/(?![/\\])/.test(page) && page !== '/instances' ? page : '/');
  };
}
