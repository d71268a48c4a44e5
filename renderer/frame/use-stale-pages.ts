import { useRouter } from 'vue-router';
import { getHealth } from '../../server/contract/instance.ts';
import { call } from '../api/client.ts';
import { useFailureToast } from '../ui/use-toasts.ts';
import { reloadStalePages } from './stale-pages.ts';

/** Loads the whole program anew when a page of it is gone from the server, because another version runs there now. */
export function useStalePages(): void {
  const showFailure = useFailureToast();
  reloadStalePages(useRouter(), {
    storage: sessionStorage,
    open: (address) => location.assign(address),
    // A server that does not answer has a banner, and no page to show instead of this one.
    isReachable: () =>
      call(getHealth).then(
        () => true,
        () => false,
      ),
    onHopeless: showFailure,
  });
}
