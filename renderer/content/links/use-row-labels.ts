import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import { useFormat } from '../../ui/use-format.ts';
import type { ListedLink } from './link-pages.ts';
import { type Trait, useLinkTraits } from './use-link-traits.ts';

export type Mark = Trait & { readonly isFault?: boolean };

/**
 * Texts and hrefs for the rows of a link list. Created once per table: looking all this up in each row would take
 * longer than rendering it.
 */
export function useRowLabels() {
  const { t } = useI18n();
  const format = useFormat();
  const list = useRouter().resolve({ name: 'links' }).href;
  const traitsOf = useLinkTraits();
  return {
    select: (name: string) => t('links.list.select', { name }),
    actions: (name: string) => t('links.list.actions', { name }),
    moreChannels: (n: number) => t('links.list.moreChannels', { n }),
    state: (state: NonNullable<ListedLink['state']>) => t(`links.states.${state}`),
    /** The markers of a link, without those that its state implies. */
    marks: ({ state, locked, expiry, traits, ...link }: ListedLink): Mark[] => {
      const planned = [
        link.archiveon && t('links.traits.archiveon', { at: format.timestamp(link.archiveon) }),
        link.deleteon && t('links.traits.deleteon', { at: format.timestamp(link.deleteon) }),
      ].filter(Boolean);
      return [
        ...(link.health?.state === 'broken'
          ? [{ icon: 'i-lucide-unplug', text: t('links.health.broken'), isFault: true }]
          : []),
        ...traitsOf({
          ...traits,
          locked,
          expiry: state === 'expired' ? null : expiry,
          notbefore: state === 'scheduled' ? null : traits?.notbefore,
          clicklimit: state === 'exhausted' ? null : traits?.clicklimit,
        }),
        ...(planned.length > 0 && state !== 'trashed'
          ? [{ icon: 'i-lucide-calendar-clock', text: planned.join(' · ') }]
          : []),
      ];
    },
    never: () => t('links.list.never'),
    number: format.number,
    ago: format.ago,
    timestamp: format.timestamp,
    hrefOf: (link: ListedLink) => `${list}/${link.id}`,
  };
}

export type RowLabels = ReturnType<typeof useRowLabels>;
