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

/** A domain in the list, with all available data. */
export interface DomainRow {
  /** The id for updates; null if the user may not update it (a platform domain). */
  readonly id: number | null;
  readonly host: string;
  readonly isPlatform: boolean;
  readonly domain: BrandedDomain;
  readonly facts: DomainFacts;
  /** Number of the account's links on it; undefined if the server does not provide it. */
  readonly links?: number | undefined;
  /** Ids of the plans that a platform domain is available to; null for all. */
  readonly plans?: readonly number[] | null;
}

/** Loads all domains the account may use, with their usage. */
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
  // Platform domains available only to plans other than the administrator's own.
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

/** Loads the usage of each domain, with its verification and certificate status. */
export function loadDomainUses(signal: AbortSignal) {
  return allRecords(async (query) => {
    const { data } = await call(domainOverview, { query, signal });
    // The response does not include a total: a full page may be the last one.
    return { items: data.domains, nextpage: data.domains.length < query.limit ? null : query.page + 1 };
  }, signal);
}

/** Whole days until a wire timestamp; undefined if there is none. */
export function daysLeftOf(expires: string | null | undefined, timezone: string): number | undefined {
  const instant = expires ? instantOf(expires, timezone) : undefined;
  return instant && daysUntil(instant, Date.now());
}

/** The domains available for new short links, for a select; excludes the instance's own host. */
export function useDomainChoice() {
  const query = useQuery({
    key: () => instanceQueryKey(['domains', 'all']),
    query: ({ signal }) => allDomains(signal),
    enabled: () => useInstanceStore().can('domains'),
  });
  const all = computed(() => query.data.value ?? []);
  return {
    isLoading: query.isLoading,
    /** Hosts, without disabled and abandoned domains. */
    hosts: computed(() => all.value.filter(({ status }) => status !== 0).map(({ domain }) => hostOf(domain))),
    /** All hosts, including those unavailable for new links. */
    everyHost: computed(() => all.value.map(({ domain }) => hostOf(domain))),
  };
}

/**
 * A select for the domain of a short link. In `host`, '' is the instance's own host (select items cannot be empty). The
 * current domain is always included, even if unavailable for new links.
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
