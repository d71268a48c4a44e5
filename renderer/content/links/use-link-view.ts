import { refDebounced } from '@vueuse/core';
import { computed, ref, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useInstanceStorage } from '../../api/instance.ts';
import {
  defaultOrder,
  type LinkOrder,
  type LinkView,
  offeredOrders,
  queryOfView,
  viewOfQuery,
} from './link-view.ts';

/** Debounce time of the search, in milliseconds. */
const typingPause = 180;

/** The view in the URL, and the search field, which is ahead of the URL while the user types. */
export function useLinkView() {
  const route = useRoute();
  const router = useRouter();
  const storedOrder = useInstanceStorage<string>('links.order', defaultOrder);
  const usualOrder = computed<LinkOrder>(
    () => offeredOrders.find((order) => order === storedOrder.value) ?? defaultOrder,
  );

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
      storedOrder.value = order;
      show({ ...view.value, order });
    },
  };
}
