import { useToast } from '@nuxt/ui/composables';
import { watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { useSessionStore } from '../../identity/session/session.ts';

const noted = 'waypost:restored';

/** Reloads the app after a restore, since its state is that of the old instance. Afterwards, a notice is shown. */
export function beginAnew(): void {
  sessionStorage.setItem(noted, 'yes');
  window.location.reload();
}

/** Shows a notice once after `beginAnew`: that the restore succeeded, and which account to sign in with. */
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
