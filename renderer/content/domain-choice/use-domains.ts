import { useQuery } from '@pinia/colada';
import { computed, type Ref } from 'vue';
import {
  type BrandedDomain,
  domainOverview,
  listDomains,
  listPlatformDomains,
} from '../../../server/contract/domains.ts';
import { allRecords } from '../../api/all-records.ts';
import { call } from '../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { hostOf } from '../../ui/addresses.ts';
import { instantOf } from '../../ui/timestamps.ts';
import { type DomainFacts, daysUntil } from './domain-states.ts';

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

/** All domains that one may use, with what is on them. */
export async function loadDomains(
  store: ReturnType<typeof useInstanceStore>,
  signal: AbortSignal,
): Promise<DomainRow[]> {
  const [domains, uses, platform] = await Promise.all([
    allDomains(signal),
    store.isBaseContract ? [] : loadDomainUses(signal),
    loadPlatform(store, signal),
  ]);
  const useOf = new Map(uses.map((use) => [use.domain, use]));
  const rows = domains.map((domain): DomainRow => {
    const use = useOf.get(domain.domain);
    const offered = platform.get(domain.domain);
    platform.delete(domain.domain);
    return {
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
    };
  });
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
  const domains = await allRecords(async (query) => {
    const { data } = await call(listPlatformDomains, { query, signal });
    return { items: data.domains, nextpage: data.nextpage };
  }, signal);
  for (const domain of domains) found.set(domain.domain, domain);
  return found;
}

function allDomains(signal: AbortSignal): Promise<BrandedDomain[]> {
  return allRecords(async (query) => {
    const { data } = await call(listDomains, { query, signal });
    return { items: data.domains, nextpage: data.nextpage };
  }, signal);
}

/** What is on each domain, and what the server knows of its proof and certificate. */
export function loadDomainUses(signal: AbortSignal) {
  return allRecords(async (query) => {
    const { data } = await call(domainOverview, { query, signal });
    // The reply does not say whether there is more: a full page may be the last one.
    return { items: data.domains, nextpage: data.domains.length < query.limit ? null : query.page + 1 };
  }, signal);
}

/** Whole days until a wire timestamp; undefined for none. */
export function daysLeftOf(expires: string | null | undefined, timezone: string): number | undefined {
  const instant = expires ? instantOf(expires, timezone) : undefined;
  return instant && daysUntil(instant, Date.now());
}

/** The domains that short things can be made on, for a select; the instance's own address is none of them. */
export function useDomainChoice() {
  const query = useQuery({
    key: () => instanceQueryKey(['domains', 'all']),
    query: ({ signal }) => allDomains(signal),
    enabled: () => useInstanceStore().can('domains'),
  });
  const all = computed(() => query.data.value ?? []);
  return {
    isLoading: query.isLoading,
    /** Hosts, those that are switched off or were given up left out. */
    hosts: computed(() => all.value.filter(({ status }) => status !== 0).map(({ domain }) => hostOf(domain))),
    /** Every host, also those on which nothing new is to be made. */
    everyHost: computed(() => all.value.map(({ domain }) => hostOf(domain))),
  };
}

/**
 * A field for the domain of a short link, for a select, which has no empty value: '' in `host` is the instance's own
 * address. The domain that is chosen stays to be seen, also when nothing new is to be made on it.
 */
export function useDomainField(host: Ref<string>) {
  const store = useInstanceStore();
  const { hosts, everyHost } = useDomainChoice();
  const own = computed(() => store.ownHost);
  const branded = computed(() => {
    const isKept = everyHost.value.includes(host.value) && !hosts.value.includes(host.value);
    return isKept ? [...hosts.value, host.value] : hosts.value;
  });
  return {
    items: computed(() =>
      [...new Set([own.value, ...branded.value])].map((value) => ({ label: value, value })),
    ),
    chosen: computed({
      get: () => (branded.value.includes(host.value) ? host.value : own.value),
      set: (value: string) => {
        host.value = branded.value.includes(value) ? value : '';
      },
    }),
  };
}
