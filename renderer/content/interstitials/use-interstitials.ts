import { computed, ref, shallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { ignoreRejection } from '../../api/ignore-rejection.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { usePlanQuota } from '../../api/use-plan-quota.ts';
import { useReload } from '../../api/use-reload.ts';
import { useReloadOn } from '../../api/use-reload-on.ts';
import type { PagedList } from '../../ui/use-paged-list.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';
import { useFailureToast } from '../../ui/use-toasts.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What a form starts from: one that is changed, or (without an id) one that is like another. */
export interface Start<Details> {
  readonly id?: number;
  readonly details: Details;
}

interface Options<Row extends Named, Details extends Named> {
  /** Resource and beginning of the words. */
  readonly noun: 'overlays' | 'splash';
  /** The plan's switch. */
  readonly feature: 'overlay' | 'splash';
  readonly list: Pick<PagedList, 'result' | 'refresh'>;
  /** Whether the list shows all there are, so that their number is that of the list. */
  readonly showsAll: () => boolean;
  readonly get: (id: number) => Promise<Details>;
  readonly remove: (id: number) => Promise<unknown>;
  readonly restore: (id: number) => Promise<unknown>;
  /** What is lost with one where there is no way back. */
  readonly describe: (row: Row) => string;
}

/** What the pages of overlays and of splash pages have in common: a plan's room, one form, duplicates and deletion. */
export function useInterstitials<Row extends Named, Details extends Named>(options: Options<Row, Details>) {
  const { noun, feature, list, showsAll, get } = options;
  const { t } = useI18n();
  const store = useInstanceStore();
  const reload = useReload();
  const showFailure = useFailureToast();
  const isFormOpen = ref(false);
  const start = shallowRef<Start<Details>>();
  useReloadOn(noun, ['links']);

  /** A plain server has the list and nothing to change it with. */
  const isEditable = computed(() => !store.isBaseContract);
  const quota = usePlanQuota(feature, () => (showsAll() ? list.result : undefined));
  const mayCreate = computed(() => quota.isIncluded.value && !quota.isExhausted.value);

  function create(): void {
    start.value = undefined;
    isFormOpen.value = true;
  }

  async function open({ id }: Row, asCopy = false): Promise<void> {
    try {
      const details = await get(id);
      const name = t(`${noun}.copyOf`, { name: details.name }).slice(0, 120);
      start.value = asCopy ? { details: { ...details, name } } : { id, details };
      isFormOpen.value = true;
    } catch (error) {
      showFailure(error);
    }
  }

  const removeWithUndo = useRemoveWithUndo<Row>({
    noun,
    feature: 'restore-pages',
    remove: options.remove,
    restore: options.restore,
    reload: () => reload(noun, 'links'),
    describe: (rows) => rows.map(options.describe).join(' '),
  });

  async function remove(row: Row): Promise<void> {
    if (!(await removeWithUndo(row))) return;
    if (start.value?.id === row.id) isFormOpen.value = false;
    ignoreRejection(list.refresh(1));
  }

  return { isEditable, quota, mayCreate, isFormOpen, start, create, open, remove };
}
