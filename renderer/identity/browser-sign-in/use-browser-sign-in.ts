import { onScopeDispose, ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { BrowserSignInOutcome } from '../../../preload/contract.ts';
import { askDesktop } from '../../api/ask-desktop.ts';
import { ApiFailure } from '../../api/failure.ts';

/**
 * Sign-in to a remote instance through the system browser, in the desktop app. `isWaiting` is true while the user is in
 * the browser; unmounting the component cancels.
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

  /** Opens the browser again, in case the tab was closed; the promise of `begin` stays pending. */
  function openAgain(): void {
    isOpenedAgain = true;
    window.desktop?.instances.cancelSignIn();
  }

  /** Resolves to whether the app received a key; false if cancelled. Throws ApiFailure. */
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
