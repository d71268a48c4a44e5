import { useI18n } from 'vue-i18n';
import type { LinkTraits } from '../../../server/contract/link-traits.ts';
import type { Link } from '../../../server/contract/links.ts';
import { useFormat } from '../../ui/use-format.ts';

/** A non-default setting of a link, with icon and description. */
export interface Trait {
  readonly icon: string;
  readonly text: string;
}

type Described = Partial<Pick<Link, 'locked' | 'expiry'> & LinkTraits>;

/** Describes the non-default settings of a link, apart from its destination. */
export function useLinkTraits() {
  const { t } = useI18n();
  const format = useFormat();

  return ({ locked, expiry, notbefore, clicklimit, rules = 0, variants = 0, type, ...link }: Described) =>
    [
      locked && { icon: 'i-lucide-lock', text: t('links.traits.locked') },
      link.protected && { icon: 'i-lucide-key-round', text: t('links.traits.protected') },
      rules > 0 && { icon: 'i-lucide-split', text: t('links.traits.targets', { n: rules }, rules) },
      variants > 0 && {
        icon: 'i-lucide-flask-conical',
        text: t('links.traits.variants', { n: variants }, variants),
      },
      type !== undefined && type !== 'direct' && ofType(type),
      clicklimit && {
        icon: 'i-lucide-hash',
        text: t('links.traits.clicklimit', { n: format.number(clicklimit) }, clicklimit),
      },
      notbefore && {
        icon: 'i-lucide-calendar-plus',
        text: t('links.traits.notbefore', { at: format.timestamp(notbefore) }),
      },
      expiry && {
        icon: 'i-lucide-calendar-x',
        text: t('links.traits.expiry', { at: format.timestamp(expiry) }),
      },
    ].filter((trait): trait is Trait => typeof trait === 'object' && trait !== null);

  function ofType(type: string): Trait {
    if (type === 'frame') return { icon: 'i-lucide-app-window', text: t('links.traits.type.frame') };
    if (type.startsWith('overlay-')) return { icon: 'i-lucide-layers', text: t('links.traits.type.overlay') };
    return { icon: 'i-lucide-hourglass', text: t('links.traits.type.splash') };
  }
}
