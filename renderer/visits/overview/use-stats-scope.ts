import { computed, type InjectionKey, inject, provide } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listCampaigns } from '../../../server/contract/campaigns.ts';
import { listChannels } from '../../../server/contract/channels.ts';
import { listDomains } from '../../../server/contract/domains.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useAllRecords } from '../../api/use-all-records.ts';
import { useRole } from '../../api/use-role.ts';
import { useMembers } from '../../identity/teams/use-members.ts';
import { indentOf, inTree } from '../../ui/name-tree.ts';
import { useFormat } from '../../ui/use-format.ts';

const kinds = ['campaign', 'channel', 'domain', 'member'] as const;
type Kind = (typeof kinds)[number];

/**
 * The scope of the overview: all links, or those of a campaign, channel, domain or member. Stored in the URL. Child
 * components access it with `useStatsScope`.
 */
export function provideStatsScope() {
  const route = useRoute();
  const router = useRouter();
  const format = useFormat();
  const store = useInstanceStore();
  const { isTeam } = useRole();
  const isWanted = () => store.can('stats-filters');
  const { records: campaigns } = useAllRecords({
    resource: 'campaigns',
    feature: 'campaigns',
    isWanted,
    load: async (query, signal) => {
      const { data } = await call(listCampaigns, { query, signal });
      return { items: data.campaigns, nextpage: data.nextpage };
    },
  });
  const { records: channels } = useAllRecords({
    resource: 'channels',
    feature: 'channels',
    isWanted,
    load: async (query, signal) => {
      const { data } = await call(listChannels, { query, signal });
      return { items: data.channels, nextpage: data.nextpage };
    },
  });
  const { records: domains } = useAllRecords({
    resource: 'domains',
    feature: 'domains',
    isWanted,
    load: async (query, signal) => {
      const { data } = await call(listDomains, { query, signal });
      return { items: data.domains, nextpage: data.nextpage };
    },
  });
  const { members } = useMembers();

  const options = computed<Record<Kind, { value: string; label: string; class?: string }[]>>(() => ({
    campaign: campaigns.value.map(({ id, name }) => ({ value: String(id), label: name })),
    channel: inTree(channels.value, format.region.value).map((channel) => ({
      value: String(channel.id),
      label: channel.name,
      class: indentOf(channel),
    })),
    domain: domains.value.map(({ domain }) => ({ value: domain, label: domain.replace(/^https?:\/\//, '') })),
    member: isTeam.value ? members.value.map(({ id, name }) => ({ value: String(id), label: name })) : [],
  }));
  const chosen = computed(() => {
    const found: Partial<Record<Kind, string>> = {};
    for (const kind of kinds) {
      const sent = route.query[kind];
      if (isWanted() && route.name === 'overview' && typeof sent === 'string' && sent !== '')
        found[kind] = sent;
    }
    return found;
  });

  const scope = {
    options,
    chosen,
    isChosen: computed(() => Object.keys(chosen.value).length > 0),
    /** Names of the selected records, for the title of a report. */
    name: computed(() => {
      const names = kinds.flatMap((kind) => {
        const value = chosen.value[kind];
        if (value === undefined) return [];
        return [options.value[kind].find((option) => option.value === value)?.label ?? value];
      });
      return names.length > 0 ? names.join(' · ') : undefined;
    }),
    /** Endpoint query; a channel includes its nested channels. */
    query: computed(() => ({ ...chosen.value, ...(chosen.value.channel && { below: '1' as const }) })),
    /** Id of the member; undefined for all. */
    member: computed(() => (chosen.value.member === undefined ? undefined : Number(chosen.value.member))),
    choose(kind: Kind, value: string | undefined): void {
      void router.replace({ query: { ...route.query, [kind]: value } });
    },
  };
  provide(scopeKey, scope);
  return scope;
}

type Scope = ReturnType<typeof provideStatsScope>;

const scopeKey: InjectionKey<Scope> = Symbol('links that are counted');

/** The scope provided by the overview. Throws outside of it. */
export function useStatsScope(): Scope {
  const scope = inject(scopeKey);
  if (!scope) throw new Error('The choice of links needs an overview around it.');
  return scope;
}
