import { useToast } from '@nuxt/ui/composables';
import { onScopeDispose } from 'vue';
import { useI18n } from 'vue-i18n';

/**
 * In the desktop app, shows notices about the local server: that it crashed and was restarted, or that it had to use
 * another port. The main process holds pending requests meanwhile, so nothing else needs to be done.
 */
export function useServerNotices(): void {
  const { desktop } = window;
  if (!desktop) return;
  const toast = useToast();
  const { t } = useI18n();
  let restarting = false;
  let told: number | undefined;

  const stop = desktop.server.onChange((state) => {
    if (state.state === 'restarting') restarting = true;
    if (state.state !== 'running') return;
    if (restarting) {
      restarting = false;
      toast.add({
        title: t('frame.server.restarted'),
        description: t('frame.server.nothingLost'),
        icon: 'i-lucide-refresh-cw',
        color: 'neutral',
      });
    }
    tellPort(state.portTaken, state.origin);
  });
  onScopeDispose(stop);
  void desktop.server.state().then((state) => {
    if (state.state === 'running') tellPort(state.portTaken, state.origin);
  });

  function tellPort(portTaken: number | undefined, origin: string): void {
    if (portTaken === undefined || portTaken === told) return;
    told = portTaken;
    toast.add({
      title: t('frame.server.moved', { port: String(portTaken) }),
      description: t('frame.server.movedTo', { port: new URL(origin).port }),
      icon: 'i-lucide-plug',
      color: 'warning',
      duration: 15_000,
    });
  }
}
