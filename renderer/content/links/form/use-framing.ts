import { useQuery } from '@pinia/colada';
import { refDebounced } from '@vueuse/core';
import { computed } from 'vue';
import { checkFraming, type Framing } from '../../../../server/contract/framing.ts';
import { call } from '../../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../../api/instance.ts';
import { pastedAddress } from '../../../ui/addresses.ts';

interface Options {
  type: () => string;
  url: () => string;
  /** The link's domain; undefined for the instance's own host. */
  domain: () => string | undefined;
}

/** Debounce time before checking a destination, in milliseconds. */
const pause = 600;

/** Whether the form's destination allows framing, if the form uses a frame; undefined until known. */
export function useFraming({ type, url, domain }: Options) {
  const store = useInstanceStore();
  const address = refDebounced(
    computed(() => pastedAddress(url())),
    pause,
  );
  const isFramed = computed(() => type() === 'frame' || type().startsWith('overlay-'));
  const query = useQuery({
    key: () => instanceQueryKey(['framing', address.value ?? '', domain() ?? '']),
    query: ({ signal }) =>
      call(checkFraming, {
        body: { url: address.value ?? '', ...(domain() !== undefined && { domain: domain() }) },
        signal,
      }),
    enabled: () => store.can('framing') && isFramed.value && address.value !== undefined,
    staleTime: 60_000,
  });
  return computed<Framing | undefined>(() =>
    isFramed.value && address.value === pastedAddress(url()) ? query.data.value?.data : undefined,
  );
}
