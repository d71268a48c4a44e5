import { useRouter } from 'vue-router';
import { getHealth } from '../../server/contract/instance.ts';
import { call } from '../api/client.ts';
import { useFailureToast } from '../ui/use-toasts.ts';
import { reloadStalePages } from './stale-pages.ts';

/** Reloads the app if a page's file no longer exists on the server because of an update. */
export function useStalePages(): void {
  const showFailure = useFailureToast();
  reloadStalePages(useRouter(), {
    storage: sessionStorage,
    open: (address) => location.assign(address),
    // If the server does not respond, the banner says so, and reloading would not help.
    isReachable: () =>
      call(getHealth).then(
        () => true,
        () => false,
      ),
    onHopeless: showFailure,
  });
}
