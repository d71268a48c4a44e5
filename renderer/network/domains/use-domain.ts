import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { domainLog, getDomain, getDomainSetup } from '../../../server/contract/domains.ts';
import { call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { instanceQueryKey, useInstanceStore } from '../../api/instance.ts';
import { loadDomains } from '../../content/domain-choice/use-domains.ts';
import { hostOf } from '../../ui/addresses.ts';

/** Number of log entries loaded; the timeline shows them in steps. */
const logSize = 100;

/** A domain with its event log, DNS setup and usage. */
export function useDomain(id: () => number) {
  const store = useInstanceStore();
  const record = useQuery({
    key: () => instanceQueryKey(['domains', id(), 'record']),
    query: ({ signal }) => call(getDomain, { params: { id: id() }, signal }),
  });
  const log = useQuery({
    key: () => instanceQueryKey(['domains', id(), 'log']),
    query: ({ signal }) => call(domainLog, { params: { id: id() }, query: { limit: logSize }, signal }),
    enabled: () => !store.isBaseContract,
  });
  const setup = useQuery({
    key: () => instanceQueryKey(['domains', id(), 'setup']),
    query: ({ signal }) => call(getDomainSetup, { params: { id: id() }, signal }),
    enabled: () => !store.isBaseContract,
    placeholderData: (before) => before,
  });
  /** The domain's row in the list, with usage, days until expiry, and plans. */
  const rows = useQuery({
    key: () => instanceQueryKey(['domains', 'rows']),
    query: ({ signal }) => loadDomains(store, signal),
  });

  const domain = computed(() => record.data.value?.data);
  const failure = computed(() => (domain.value ? undefined : record.error.value));
  return {
    domain,
    host: computed(() => (domain.value ? hostOf(domain.value.domain) : undefined)),
    log: computed(() => log.data.value?.data),
    setup: computed(() => setup.data.value?.data),
    isLooking: setup.isLoading,
    row: computed(() => rows.data.value?.find((row) => row.id === id())),
    isMissing: computed(() => failure.value instanceof ApiFailure && failure.value.status === 404),
    failure,
    refetch: () => void record.refetch(),
  };
}
