import { computed, ref, shallowRef } from 'vue';

/**
 * What the form is opened for: a new link, perhaps with its destination or address, or a change of the link `linkId`.
 */
export interface LinkFormRequest {
  readonly url?: string;
  readonly custom?: string;
  /** Host that the alias is on; '' is the instance's own address. */
  readonly domain?: string;
  readonly linkId?: number;
}

const request = shallowRef<LinkFormRequest>({});
const isOpen = ref(false);

/** The one form for links, which the frame holds: `open({})` from anywhere shows it. */
export function useLinkForm() {
  return {
    isOpen,
    request: computed(() => request.value),
    open(next: LinkFormRequest = {}): void {
      request.value = next;
      isOpen.value = true;
    },
    close(): void {
      isOpen.value = false;
    },
  };
}
