import { computed, ref, shallowRef } from 'vue';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { useInstanceStore } from '../api/instance.ts';
import { usePlanQuota } from '../api/use-plan-quota.ts';
import type { PagedList } from './use-paged-list.ts';
import { useFailureToast } from './use-toasts.ts';

interface Row {
  readonly id: number;
}

interface Options<Shown extends Row> {
  readonly list: Pick<PagedList, 'result' | 'refresh' | 'isWhole'>;
  /** The plan's feature that counts these records; absent where no plan does. */
  readonly feature?: string;
  /** Deletes; resolves to whether all are gone. */
  readonly remove: (rows: readonly Shown[]) => Promise<boolean>;
}

/**
 * What the list pages have in common: a form beside the list for a new record or an existing one, the quota of the
 * plan, and deletion. `Edited` is what the form is opened with.
 */
export function useRecordPage<Shown extends Row, Edited extends { readonly id?: number | null } = Shown>(
  options: Options<Shown>,
) {
  const { list, feature } = options;
  const store = useInstanceStore();
  const showFailure = useFailureToast();
  const isFormOpen = ref(false);
  /** What the form changes; undefined for a new record. */
  const edited = shallowRef<Edited>();
  const quota = usePlanQuota(feature ?? '', () => (list.isWhole ? list.result : undefined));
  /** A server of the published contract has the list, and for some records nothing to change it with. */
  const isEditable = computed(() => !store.isBaseContract);
  const mayCreate = computed(() => quota.isIncluded.value && !quota.isExhausted.value);
  let opening = 0;

  /** Opens the form with a record, which may have to be fetched first; with nothing for a new one. */
  async function open(record?: Edited | Promise<Edited>): Promise<void> {
    opening += 1;
    const current = opening;
    try {
      const opened = await record;
      // Another one was chosen while this one was fetched.
      if (current !== opening) return;
      edited.value = opened;
      isFormOpen.value = true;
    } catch (error) {
      showFailure(error);
    }
  }

  /** Deletes rows, and closes the form of one of them. */
  async function remove(chosen: Shown | readonly Shown[]): Promise<void> {
    const rows = [chosen].flat() as readonly Shown[];
    if (!(await options.remove(rows))) return;
    if (rows.some(({ id }) => id === edited.value?.id)) isFormOpen.value = false;
    ignoreRejection(list.refresh(rows.length));
  }

  return { isFormOpen, edited, isEditable, quota, mayCreate, open, remove };
}
