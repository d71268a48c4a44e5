import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { listBios } from '../../../server/contract/bio.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** The bio pages that a domain can show, for a select; none where the server has no such pages. */
export function useBioChoice() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['bio', 'choice']),
    query: ({ signal }) => call(listBios, { query: { limit: pageSize }, signal }),
    enabled: () => store.can('bio'),
  });
  const items = computed(() =>
    (query.data.value?.data.bios ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  return {
    items,
    nameOf: (id: number): string => items.value.find((item) => item.value === id)?.label ?? `#${id}`,
  };
}
