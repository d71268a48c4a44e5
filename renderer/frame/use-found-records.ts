import { useQuery } from '@pinia/colada';
import { refDebounced } from '@vueuse/core';
import { computed, type Ref } from 'vue';
import { listBios } from '../../server/contract/bio.ts';
import { listCampaigns } from '../../server/contract/campaigns.ts';
import { listChannels } from '../../server/contract/channels.ts';
import { listDomains } from '../../server/contract/domains.ts';
import { listFiles } from '../../server/contract/files.ts';
import { listOverlays } from '../../server/contract/overlays.ts';
import { listPixels } from '../../server/contract/pixels.ts';
import { listQr } from '../../server/contract/qr.ts';
import { listSplash } from '../../server/contract/splash.ts';
import { call } from '../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../api/instance.ts';
import { readableAddress } from '../ui/addresses.ts';
import type { RecentCommand } from './use-recent-commands.ts';

/** A record that the palette can open. */
export interface FoundRecord extends RecentCommand {
  /** Name of its page in the navigation. */
  readonly page: string;
}

interface Kind {
  /** Name of its page in the navigation. */
  readonly page: string;
  readonly feature: string;
  readonly icon: string;
  readonly search: (
    q: string,
    signal: AbortSignal,
  ) => Promise<readonly { id: number | null; name: string }[]>;
  /** Route of a record's page; without it, its list is opened with a search for the name. */
  readonly route?: string;
}

/** Maximum number of results per kind. */
const limit = 3;

const kinds: readonly Kind[] = [
  {
    page: 'campaigns',
    feature: 'campaigns',
    icon: 'i-lucide-megaphone',
    route: 'campaign',
    search: async (q, signal) => (await call(listCampaigns, { query: { q, limit }, signal })).data.campaigns,
  },
  {
    page: 'channels',
    feature: 'channels',
    icon: 'i-lucide-tags',
    route: 'channel',
    search: async (q, signal) => (await call(listChannels, { query: { q, limit }, signal })).data.channels,
  },
  {
    page: 'qr-codes',
    feature: 'qr',
    icon: 'i-lucide-qr-code',
    search: async (q, signal) => (await call(listQr, { query: { q, limit }, signal })).data.qrs,
  },
  {
    page: 'bio',
    feature: 'bio',
    icon: 'i-lucide-panels-top-left',
    route: 'bio-page',
    search: async (q, signal) => (await call(listBios, { query: { q, limit }, signal })).data.bios,
  },
  {
    page: 'files',
    feature: 'files',
    icon: 'i-lucide-folder',
    search: async (q, signal) => (await call(listFiles, { query: { name: q, limit }, signal })).list,
  },
  {
    page: 'overlays',
    feature: 'overlays',
    icon: 'i-lucide-layers',
    search: async (q, signal) => (await call(listOverlays, { query: { q, limit }, signal })).data.cta,
  },
  {
    page: 'splash',
    feature: 'splash',
    icon: 'i-lucide-hourglass',
    search: async (q, signal) => (await call(listSplash, { query: { q, limit }, signal })).data.splash,
  },
  {
    page: 'pixels',
    feature: 'pixels',
    icon: 'i-lucide-radar',
    route: 'pixel',
    search: async (q, signal) => (await call(listPixels, { query: { q, limit }, signal })).data.pixels,
  },
  {
    page: 'domains',
    feature: 'domains',
    icon: 'i-lucide-globe',
    route: 'domain',
    // The contract has no search for domains, and few users have more than a page of them.
    async search(q, signal) {
      const { data } = await call(listDomains, { query: { limit: 100 }, signal });
      const wanted = q.toLowerCase();
      return data.domains
        .map(({ id, domain }) => ({ id: id ?? null, name: readableAddress(domain) }))
        .filter(({ id, name }) => id !== null && name.toLowerCase().includes(wanted))
        .slice(0, limit);
    },
  },
];

/** Debounce time in milliseconds; longer than for links, because each search sends several requests. */
const pause = 300;

/** Records of all kinds except links whose names contain `term`; kinds whose search fails are left out. */
export function useFoundRecords(term: Readonly<Ref<string>>, isWanted: () => boolean) {
  const store = useInstanceStore();
  const wanted = refDebounced(term, pause);
  const query = useQuery({
    key: () => instanceQueryKey(['palette', wanted.value]),
    query: async ({ signal }) => {
      const asked = kinds.filter(({ feature }) => store.can(feature));
      const found = await Promise.all(asked.map((kind) => recordsOf(kind, wanted.value, signal)));
      return found.flat();
    },
    // The server rejects one-character searches.
    enabled: () => isWanted() && wanted.value.length >= 2 && wanted.value.length <= 100,
  });
  return {
    records: computed(() =>
      wanted.value === term.value && wanted.value.length >= 2 ? (query.data.value ?? []) : [],
    ),
    isSearching: computed(
      () => term.value.length >= 2 && (wanted.value !== term.value || query.isLoading.value),
    ),
  };
}

async function recordsOf(kind: Kind, term: string, signal: AbortSignal): Promise<FoundRecord[]> {
  try {
    const rows = await kind.search(term, signal);
    return rows.map(({ id, name }) => ({
      label: name,
      icon: kind.icon,
      page: kind.page,
      ...(kind.route === undefined
        ? { name: kind.page, query: { q: name } }
        : { name: kind.route, params: { id: String(id) } }),
    }));
  } catch {
    return [];
  }
}
