import { onScopeDispose, ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { BrowserSignInOutcome } from '../../../preload/contract.ts';
import { askDesktop } from '../../api/ask-desktop.ts';
import { ApiFailure } from '../../api/failure.ts';

/**
 * Signing in at a remote instance through the system's browser, in the desktop. `isWaiting` while the person is there;
 * what waits ends with the component.
 */
export function useBrowserSignIn() {
  const { t } = useI18n();
  const isWaiting = ref(false);
  let turn = 0;
  let isOpenedAgain = false;

  function cancel(): void {
    turn += 1;
    if (isWaiting.value) window.desktop?.instances.cancelSignIn();
    isWaiting.value = false;
  }

  /** Opens the browser once more, for a tab that was closed; what `begin` returned goes on. */
  function openAgain(): void {
    isOpenedAgain = true;
    window.desktop?.instances.cancelSignIn();
  }

  /** Resolves to whether the key is there; false when it was cancelled. Throws ApiFailure. */
  async function begin(instanceId: string): Promise<boolean> {
    const mine = ++turn;
    isWaiting.value = true;
    try {
      let outcome: BrowserSignInOutcome | undefined;
      do {
        isOpenedAgain = false;
        outcome = await askDesktop(async () => window.desktop?.instances.signInByBrowser(instanceId));
      } while (isOpenedAgain && outcome === 'cancelled' && mine === turn);
      if (outcome === 'denied') throw new ApiFailure('refused', t('browserSignIn.denied'));
      return outcome === 'done' && mine === turn;
    } finally {
      if (mine === turn) isWaiting.value = false;
    }
  }

  onScopeDispose(cancel);
  return { isWaiting, begin, openAgain, cancel };
}
