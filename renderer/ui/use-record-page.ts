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
  /** The plan feature that limits these records; omit if no plan does. */
  readonly feature?: string;
  /** Deletes rows; resolves to whether all were deleted. */
  readonly remove: (rows: readonly Shown[]) => Promise<boolean>;
}

/**
 * Shared behavior of list pages: a form for creating and editing records, the plan's quota, and deletion. `Edited` is
 * the type that the form is opened with.
 */
export function useRecordPage<Shown extends Row, Edited extends { readonly id?: number | null } = Shown>(
  options: Options<Shown>,
) {
  const { list, feature } = options;
  const store = useInstanceStore();
  const showFailure = useFailureToast();
  const isFormOpen = ref(false);
  /** The record being edited; undefined for a new one. */
  const edited = shallowRef<Edited>();
  const quota = usePlanQuota(feature ?? '', () => (list.isWhole ? list.result : undefined));
  /** Servers with only the base contract can list these records, but not update all of them. */
  const isEditable = computed(() => !store.isBaseContract);
  const mayCreate = computed(() => quota.isIncluded.value && !quota.isExhausted.value);
  let opening = 0;

  /** Opens the form with a record, which may still be loading; without one, for creation. */
  async function open(record?: Edited | Promise<Edited>): Promise<void> {
    opening += 1;
    const current = opening;
    try {
      const opened = await record;
      // Another record was chosen while this one was loading.
      if (current !== opening) return;
      edited.value = opened;
      isFormOpen.value = true;
    } catch (error) {
      showFailure(error);
    }
  }

  /** Deletes rows and closes the form if it shows one of them. */
  async function remove(chosen: Shown | readonly Shown[]): Promise<void> {
    const rows = [chosen].flat() as readonly Shown[];
    if (!(await options.remove(rows))) return;
    if (rows.some(({ id }) => id === edited.value?.id)) isFormOpen.value = false;
    ignoreRejection(list.refresh(rows.length));
  }

  return { isFormOpen, edited, isEditable, quota, mayCreate, open, remove };
}
