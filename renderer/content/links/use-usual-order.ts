import { computed, type Ref } from 'vue';
import { useInstanceStorage } from '../../api/instance.ts';
import { defaultOrder, type LinkOrder, offeredOrders } from './link-view.ts';

/** The order that the account last chose for the list, which holds for views that do not name another. */
export function useUsualOrder(): Ref<LinkOrder> {
  const stored = useInstanceStorage<string>('links.order', defaultOrder);
  return computed({
    get: () => offeredOrders.find((order) => order === stored.value) ?? defaultOrder,
    set: (order) => {
      stored.value = order;
    },
  });
}
