import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import {
  type BrandedDomain,
  domainOverview,
  listDomains,
  listPlatformDomains,
} from '../../../server/contract/domains.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { instantOf } from '../../ui/moments.ts';
import { type DomainFacts, daysUntil } from './domain-states.ts';
import { hostOf } from './host.ts';

/** One domain of the list with everything that is known of it. */
export interface DomainRow {
  /** The id to change it by; null where the caller may not: a platform domain. */
  readonly id: number | null;
  readonly host: string;
  readonly isPlatform: boolean;
  readonly domain: BrandedDomain;
  readonly facts: DomainFacts;
  /** Own links on it; undefined where the server does not tell. */
  readonly links?: number | undefined;
  /** Ids of the plans that a platform domain is offered to; null for all. */
  readonly plans?: readonly number[] | null;
}

/** Rows that are fetched at once, and how many pages at most: nobody has a thousand domains. */
const pageSize = 100;
const mostPages = 10;

/** All domains that one may use, with their figures. */
export async function loadDomains(
  store: ReturnType<typeof useInstanceStore>,
  signal: AbortSignal,
): Promise<DomainRow[]> {
  const rows: DomainRow[] = [];
  const platform = await loadPlatform(store, signal);
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { limit: pageSize, page };
    const [{ data }, uses] = await Promise.all([
      call(listDomains, { query, signal }),
      store.isBaseContract ? [] : call(domainOverview, { query, signal }).then((reply) => reply.data.domains),
    ]);
    for (const domain of data.domains) {
      const use = uses.find((each) => each.domain === domain.domain);
      const offered = platform.get(domain.domain);
      rows.push({
        id: domain.id ?? offered?.id ?? null,
        host: hostOf(domain.domain),
        isPlatform: domain.platform === true,
        domain,
        facts: {
          disabled: use?.disabled,
          proof: use?.proof,
          daysLeft: daysLeftOf(use?.expires, store.timezone),
        },
        links: use?.links,
        ...(offered && { plans: offered.plans }),
      });
      platform.delete(domain.domain);
    }
    if (!data.nextpage) break;
  }
  // Domains that are offered to other plans than the administrator's own.
  for (const [address, domain] of platform) {
    rows.push({
      id: domain.id,
      host: hostOf(address),
      isPlatform: true,
      domain,
      facts: {},
      plans: domain.plans,
    });
  }
  return rows;
}

async function loadPlatform(store: ReturnType<typeof useInstanceStore>, signal: AbortSignal) {
  const found = new Map<string, BrandedDomain & { id: number; plans: number[] | null }>();
  if (store.isBaseContract || !store.account?.admin) return found;
  const { data } = await call(listPlatformDomains, { query: { limit: pageSize }, signal });
  for (const domain of data.domains) found.set(domain.domain, domain);
  return found;
}

/** Whole days until a wire timestamp; undefined for none. */
export function daysLeftOf(expires: string | null | undefined, timezone: string): number | undefined {
  const instant = expires ? instantOf(expires, timezone) : undefined;
  return instant && daysUntil(instant, Date.now());
}

/** The domains that short things can be made on, for a select; the instance's own address is none of them. */
export function useDomainChoice() {
  const store = useInstanceStore();
  const query = useQuery({
    key: () => instanceQueryKey(['domains', 'choice']),
    query: ({ signal }) => call(listDomains, { query: { limit: pageSize }, signal }),
    enabled: () => store.can('domains'),
  });
  const all = computed(() => query.data.value?.data.domains ?? []);
  return {
    isLoading: query.isLoading,
    /** Hosts, those that are switched off or were given up left out. */
    hosts: computed(() => all.value.filter(({ status }) => status !== 0).map(({ domain }) => hostOf(domain))),
    /** Every host, also those on which nothing new is to be made. */
    everyHost: computed(() => all.value.map(({ domain }) => hostOf(domain))),
  };
}
