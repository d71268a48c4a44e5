import { defineQuery, useQuery } from '@pinia/colada';
import { ref } from 'vue';
import { getPrivacy, openedAddress } from '../../server/contract/privacy.ts';
import { call } from './client.ts';
import { instanceQueryKey, useInstanceStore } from './instance.ts';

/** Cache time in milliseconds. */
const believed = 60_000;

/**
 * Opens short links in a new tab, or in the system browser from the desktop app. If visits of signed-in users are not
 * counted, the link is opened with a URL that tells its host so. The setting is loaded as soon as a link is hovered or
 * focused, or its menu is created: browsers block a popup that waits for a response after the click.
 */
export const useShortLinkOpening = defineQuery(() => {
  const store = useInstanceStore();
  const isWanted = ref(false);
  const privacy = useQuery({
    key: () => instanceQueryKey(['privacy']),
    query: ({ signal }) => call(getPrivacy, { signal }),
    enabled: () => isWanted.value && store.can('signed-in-openings'),
    staleTime: believed,
  });

  /** The URL to open for a short link. */
  function opened(address: string): string {
    const { instance, account } = privacy.data.value?.data ?? {};
    const isLeftOut = instance?.noSignedIn || account?.noSignedIn;
    // In a browser, the app has already set a cookie on its own host.
    const isMarked = !window.desktop && new URL(address).origin === location.origin;
    return isLeftOut && store.can('signed-in-openings') && !isMarked ? openedAddress(address) : address;
  }

  return {
    /** Call it when a short link is hovered or focused, or when a menu that opens it is created. */
    prepare(): void {
      isWanted.value = true;
    },
    opened,
    /** Opens a short link (an http(s) URL). */
    open(address: string): void {
      isWanted.value = true;
      if (window.desktop) void window.desktop.openExternal(opened(address));
      else window.open(opened(address), '_blank', 'noopener,noreferrer');
    },
  };
});
