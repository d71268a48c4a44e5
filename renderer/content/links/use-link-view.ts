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

/** How long a person may pause while typing before the list searches. Milliseconds. */
const typingPause = 180;

/** The view that the page's address names, and the search field, which is ahead of it while someone types. */
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
  // Back, or a link to a search, changes the address first.
  watch(
    () => view.value.q,
    (q) => {
      if (q !== settled.value) search.value = q;
    },
  );

  return {
    view,
    search,
    /** Whether what is typed is not yet what is shown. */
    isTyping: computed(() => search.value !== view.value.q),
    show,
    change: (part: Partial<LinkView>) => show({ ...view.value, q: search.value, ...part }),
    setOrder(order: LinkOrder): void {
      storedOrder.value = order;
      show({ ...view.value, order });
    },
  };
}
