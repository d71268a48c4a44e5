import { useToast } from '@nuxt/ui/composables';
import { watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { useSessionStore } from '../../identity/session/session.ts';

const noted = 'waypost:restored';

/** Loads the page anew once a backup was restored: what it knows is of the instance as it was. It says so then. */
export function beginAnew(): void {
  sessionStorage.setItem(noted, 'yes');
  window.location.reload();
}

/** After `beginAnew`, tells that it worked, and whose account is wanted now. Once. */
export function useRestoredNotice(): void {
  const { t } = useI18n();
  const toast = useToast();
  const session = useSessionStore();
  if (sessionStorage.getItem(noted) === null) return;
  const stop = watch(
    () => session.state,
    (state) => {
      if (!state) return;
      sessionStorage.removeItem(noted);
      queueMicrotask(() => stop());
      toast.add({
        title: t('backup.restored.title'),
        description: t(state === 'signed-in' ? 'backup.restored.signedIn' : 'backup.restored.signIn'),
        icon: 'i-lucide-archive-restore',
        color: 'success',
        duration: 12_000,
      });
    },
    { immediate: true },
  );
}
