import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import type { Link } from '../../../server/contract/links.ts';
import { useFormat } from '../../ui/use-format.ts';

/**
 * What the rows of a list of links say, and where they lead. Made once for the table: a row that looked all this up for
 * itself would take longer to set up than to draw.
 */
export function useRowLabels() {
  const { t } = useI18n();
  const format = useFormat();
  const list = useRouter().resolve({ name: 'links' }).href;
  return {
    select: (name: string) => t('links.list.select', { name }),
    actions: (name: string) => t('links.list.actions', { name }),
    moreChannels: (n: number) => t('links.list.moreChannels', { n }),
    state: (state: NonNullable<Link['state']>) => t(`links.states.${state}`),
    broken: () => t('links.health.broken'),
    /** What happens to a link on a day, in a sentence; '' where nothing does. */
    planned: (link: Link | undefined) =>
      [
        link?.archiveon && t('links.traits.archiveon', { at: format.timestamp(link.archiveon) }),
        link?.deleteon && t('links.traits.deleteon', { at: format.timestamp(link.deleteon) }),
      ]
        .filter(Boolean)
        .join(' · '),
    locked: () => t('links.list.locked'),
    never: () => t('links.list.never'),
    number: format.number,
    ago: format.ago,
    timestamp: format.timestamp,
    hrefOf: (link: Link) => `${list}/${link.id}`,
  };
}

export type RowLabels = ReturnType<typeof useRowLabels>;
