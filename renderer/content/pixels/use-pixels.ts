import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { listPixels, type Pixel } from '../../../server/contract/pixels.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { pageSize } from '../../api/page-size.ts';

/** All pixels of the account with what they load, by name, and by id; none where the server has no pixels. */
export function usePixels(isWanted: () => boolean = () => true) {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['pixels', 'all']),
    query: ({ signal }) => allPixels(signal),
    enabled: () => store.can('pixels') && isWanted(),
    staleTime: 60_000,
  });
  const pixels = computed<readonly Pixel[]>(() => query.data.value ?? []);
  const byId = computed(() => new Map(pixels.value.map((pixel) => [pixel.id, pixel])));
  return { pixels, byId, isLoaded: computed(() => query.data.value !== undefined) };
}

async function allPixels(signal: AbortSignal): Promise<Pixel[]> {
  const pixels: Pixel[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { data }: ReplyOf<typeof listPixels> = await call(listPixels, {
      query: { page, limit: pageSize, figures: '1' },
      signal,
    });
    pixels.push(...data.pixels);
    page = data.nextpage;
  }
  return pixels.sort((one, other) => one.name.localeCompare(other.name));
}
