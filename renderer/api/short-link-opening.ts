import { defineQuery, useQuery } from '@pinia/colada';
import { ref } from 'vue';
import { getPrivacy, openedAddress } from '../../server/contract/privacy.ts';
import { call } from './client.ts';
import { instanceQueryKey, useInstanceStore } from './instance.ts';

/** Milliseconds. */
const believed = 60_000;

/**
 * Opens short links in a new tab, in the desktop in the system's browser. Where visits of people who are signed in are
 * not counted, the link is opened by an address that tells its host so. What the account chose is asked for as soon as
 * a link is pointed at or focused, or its menu made: a browser opens no tab for a click that first waits for an answer.
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

  /** The address to open for a short link. */
  function opened(address: string): string {
    const { instance, account } = privacy.data.value?.data ?? {};
    const isLeftOut = instance?.noSignedIn || account?.noSignedIn;
    // In a browser the app has marked its own host itself.
    const isMarked = !window.desktop && new URL(address).origin === location.origin;
    return isLeftOut && store.can('signed-in-openings') && !isMarked ? openedAddress(address) : address;
  }

  return {
    /** To be called when a short link is pointed at or focused, or a menu is made that opens it. */
    prepare(): void {
      isWanted.value = true;
    },
    opened,
    /** Opens a short link, an http(s) address. */
    open(address: string): void {
      isWanted.value = true;
      if (window.desktop) void window.desktop.openExternal(opened(address));
      else window.open(opened(address), '_blank', 'noopener,noreferrer');
    },
  };
});
