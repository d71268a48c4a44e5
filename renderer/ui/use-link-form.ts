import { computed, ref, shallowRef } from 'vue';

/** What the form is opened with: a new link, optionally with destination or alias, or the existing link `linkId`. */
export interface LinkFormRequest {
  readonly url?: string;
  readonly custom?: string;
  /** Host of the alias; '' is the instance's own host. */
  readonly domain?: string;
  readonly linkId?: number;
}

const request = shallowRef<LinkFormRequest>({});
const isOpen = ref(false);

/** The app-wide link form, rendered by the frame: `open({})` shows it from anywhere. */
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
