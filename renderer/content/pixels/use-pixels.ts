import { computed } from 'vue';
import { listPixels } from '../../../server/contract/pixels.ts';
import { call } from '../../api/client.ts';
import { useAllRecords } from '../../api/use-all-records.ts';
import { useFormat } from '../../ui/use-format.ts';

/** All pixels of the account with what they load, by name and by id; empty if the server does not support pixels. */
export function usePixels(isWanted: () => boolean = () => true) {
  const format = useFormat();
  const { records, byId, isLoaded } = useAllRecords({
    resource: 'pixels',
    feature: 'pixels',
    isWanted,
    load: async (page, signal) => {
      const { data } = await call(listPixels, { query: { ...page, figures: '1' }, signal });
      return { items: data.pixels, nextpage: data.nextpage };
    },
  });
  const pixels = computed(() =>
    records.value.toSorted((one, other) => one.name.localeCompare(other.name, format.region.value)),
  );
  return { pixels, byId, isLoaded };
}
