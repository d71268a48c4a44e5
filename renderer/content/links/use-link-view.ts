import { refDebounced } from '@vueuse/core';
import { computed, ref, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { type LinkOrder, type LinkView, queryOfView, viewOfQuery } from './link-view.ts';
import { useUsualOrder } from './use-usual-order.ts';

/** Debounce time of the search, in milliseconds. */
const typingPause = 180;

/** The view in the URL, and the search field, which is ahead of the URL while the user types. */
export function useLinkView() {
  const route = useRoute();
  const router = useRouter();
  const usualOrder = useUsualOrder();

  const view = computed(() => viewOfQuery(route.query, usualOrder.value));
  const search = ref(view.value.q);
  const settled = refDebounced(search, typingPause);

  function show(next: LinkView): void {
    search.value = next.q;
    void router.replace({ name: 'links', query: queryOfView(next, usualOrder.value) });
  }

  watch(settled, (q) => {
    if (route.name === 'links' && q !== view.value.q) show({ ...view.value, q });
  });
  // The URL changed first, by Back or a link to a search.
  watch(
    () => view.value.q,
    (q) => {
      if (q !== settled.value) search.value = q;
    },
  );

  return {
    view,
    search,
    /** Whether the typed text has not been applied yet. */
    isTyping: computed(() => search.value !== view.value.q),
    show,
    change: (part: Partial<LinkView>) => show({ ...view.value, q: search.value, ...part }),
    setOrder(order: LinkOrder): void {
      usualOrder.value = order;
      show({ ...view.value, order });
    },
  };
}
