import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { listOverlays } from '../../../../server/contract/overlays.ts';
import { listSplash } from '../../../../server/contract/splash.ts';
import { call } from '../../../api/client.ts';
import { useInstanceStore } from '../../../api/instance.ts';
import { useAllRecords } from '../../../api/use-all-records.ts';
import { overlayIcon } from '../../overlays/overlay-types.ts';

export interface TypeItem {
  /** In API format: `direct`, `frame`, `splash`, a splash page's id, or `overlay-<id>`. */
  readonly value: string;
  readonly label: string;
  readonly icon: string;
  readonly disabled?: boolean;
}

/** All link types, grouped: built-in types, custom splash pages, overlays. */
export function useTypeChoice(chosen: () => string) {
  const { t } = useI18n();
  const store = useInstanceStore();
  const overlays = useAllRecords({
    resource: 'overlays',
    feature: 'overlays',
    load: async (query, signal) => {
      const { data } = await call(listOverlays, { query, signal });
      return { items: data.cta, nextpage: data.nextpage };
    },
  });
  const splash = useAllRecords({
    resource: 'splash',
    feature: 'splash',
    load: async (query, signal) => {
      const { data } = await call(listSplash, { query, signal });
      return { items: data.splash, nextpage: data.nextpage };
    },
  });

  const isIncluded = (feature: string) => store.account?.features?.[feature]?.enabled !== false;
  const usual = computed<TypeItem[]>(() => [
    { value: 'direct', label: t('links.form.type.direct'), icon: 'i-lucide-arrow-right' },
    { value: 'frame', label: t('links.form.type.frame'), icon: 'i-lucide-app-window' },
    { value: 'splash', label: t('links.form.type.splash'), icon: 'i-lucide-hourglass' },
  ]);
  const own = computed<TypeItem[][]>(() => [
    splash.records.value.map(({ id, name }) => ({
      value: String(id),
      label: name,
      icon: 'i-lucide-hourglass',
      disabled: !isIncluded('splash'),
    })),
    overlays.records.value.map(({ id, name, type }) => ({
      value: `overlay-${id}`,
      label: name,
      icon: overlayIcon(type),
      disabled: !isIncluded('overlay'),
    })),
  ]);
  const isLoaded = computed(() => !overlays.isLoading.value && !splash.isLoading.value);
  const known = computed(() => [usual.value, ...own.value].flat());
  /** Types that this client does not know are shown as they are. */
  const current = computed<TypeItem>(
    () =>
      known.value.find(({ value }) => value === chosen()) ?? {
        value: chosen(),
        label: isLoaded.value ? chosen() : '…',
        icon: 'i-lucide-layers',
      },
  );
  const groups = computed(() => {
    const [splashPages = [], overs = []] = own.value;
    const isUnknown = isLoaded.value && !known.value.some(({ value }) => value === chosen());
    return [
      [...usual.value, ...(isUnknown ? [current.value] : [])],
      withHeading(t('links.form.type.splashPages'), splashPages),
      withHeading(t('links.form.type.overlays'), overs),
    ].filter(({ length }) => length > 0);
  });
  return { groups, current };
}

/** The heading needs a value because Nuxt UI looks items up by it; it cannot be selected. */
function withHeading(label: string, items: readonly TypeItem[]) {
  return items.length === 0 ? [] : [{ type: 'label' as const, label, value: '' }, ...items];
}
