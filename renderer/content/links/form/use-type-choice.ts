import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { listOverlays } from '../../../../server/contract/overlays.ts';
import { listSplash } from '../../../../server/contract/splash.ts';
import { call } from '../../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../../api/instance.ts';
import { pageSize } from '../../../api/page-size.ts';
import { overlayIcon } from '../../overlays/overlay-types.ts';

export interface TypeItem {
  /** As the wire says it: `direct`, `frame`, `splash`, a splash page's id, or `overlay-<id>`. */
  readonly value: string;
  readonly label: string;
  readonly icon: string;
  readonly disabled?: boolean;
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly type?: string;
}

/** Everything that a link's destination can be shown with, in groups: the usual ways, own splash pages, own overlays. */
export function useTypeChoice(chosen: () => string) {
  const { t } = useI18n();
  const store = useInstanceStore();
  const overlays = useQuery({
    key: () => instanceQueryKey(['overlays', 'choice']),
    query: ({ signal }) =>
      everyPage(async (page) => {
        const { data } = await call(listOverlays, { query: { page, limit: pageSize }, signal });
        return { rows: data.cta, nextpage: data.nextpage };
      }),
    enabled: () => store.can('overlays'),
  });
  const splash = useQuery({
    key: () => instanceQueryKey(['splash', 'choice']),
    query: ({ signal }) =>
      everyPage(async (page) => {
        const { data } = await call(listSplash, { query: { page, limit: pageSize }, signal });
        return { rows: data.splash, nextpage: data.nextpage };
      }),
    enabled: () => store.can('splash'),
  });

  const isIncluded = (feature: string) => store.account?.features?.[feature]?.enabled !== false;
  const usual = computed<TypeItem[]>(() => [
    { value: 'direct', label: t('links.form.type.direct'), icon: 'i-lucide-arrow-right' },
    { value: 'frame', label: t('links.form.type.frame'), icon: 'i-lucide-app-window' },
    { value: 'splash', label: t('links.form.type.splash'), icon: 'i-lucide-hourglass' },
  ]);
  const own = computed<TypeItem[][]>(() => [
    (splash.data.value ?? []).map(({ id, name }) => ({
      value: String(id),
      label: name,
      icon: 'i-lucide-hourglass',
      disabled: !isIncluded('splash'),
    })),
    (overlays.data.value ?? []).map(({ id, name, type }) => ({
      value: `overlay-${id}`,
      label: name,
      icon: overlayIcon(type ?? ''),
      disabled: !isIncluded('overlay'),
    })),
  ]);
  const isLoaded = computed(() => !overlays.isLoading.value && !splash.isLoading.value);
  const known = computed(() => [usual.value, ...own.value].flat());
  /** A type that the server knows and we do not is shown as it is. */
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

/** The heading has a value, too, because the kit finds items by it; it cannot be chosen. */
function withHeading(label: string, items: readonly TypeItem[]) {
  return items.length === 0 ? [] : [{ type: 'label' as const, label, value: '' }, ...items];
}

async function everyPage(
  load: (page: number) => Promise<{ rows: readonly Named[]; nextpage: number | null }>,
): Promise<Named[]> {
  const found: Named[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { rows, nextpage }: { rows: readonly Named[]; nextpage: number | null } = await load(page);
    found.push(...rows);
    page = nextpage;
  }
  return found;
}
