import { computed } from 'vue';
import { listBios } from '../../../server/contract/bio.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';

/** The bio pages that a domain's root can show, for a select; empty if the server does not support bio pages. */
export function useBioChoice() {
  const { records, byId } = useAllRecords({
    resource: 'bio',
    feature: 'bio',
    load: async (query, signal) => {
      const { data } = await call(listBios, { query, signal });
      return { items: data.bios, nextpage: data.nextpage };
    },
  });
  return {
    items: computed(() => records.value.map(({ id, name }) => ({ value: id, label: name }))),
    nameOf: (id: number): string => byId.value.get(id)?.name ?? `#${id}`,
  };
}
