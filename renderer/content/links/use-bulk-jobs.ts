import { computed, onScopeDispose, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import type { BulkJob } from '../../../server/contract/bulk-jobs.ts';
import { undo } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useConnectionStore } from '../../api/connection.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useDoneToast, useFailureToast, useProblemToast, useUndoToast } from '../../ui/use-toasts.ts';
import { useBulkJobsStore } from './bulk-jobs-store.ts';

/** Actions with their own completion message; for the others, the job does not include the values that were set. */
const named = ['delete', 'restore', 'purge', 'archive', 'unarchive', 'lock', 'unlock'] as const;
type Named = (typeof named)[number];

/** Catalogue key of an action. */
export function jobLabel(action: BulkJob['action']): Named | 'change' {
  return named.find((known) => known === action) ?? 'change';
}

/** Follows the account's long bulk actions and reports the result of each. `refresh` reloads the list. */
export function useBulkJobs(refresh: () => Promise<void>) {
  const { t } = useI18n();
  const format = useFormat();
  const instance = useInstanceStore();
  const store = useBulkJobsStore();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showProblem = useProblemToast();
  const showFailure = useFailureToast();

  function tell(job: BulkJob): void {
    void refresh();
    const { done } = job.counts;
    const {
      locked = 0,
      role_too_low: foreign = 0,
      plan_required: unfit = 0,
      alias_taken: taken = 0,
    } = job.codes;
    const sentences: string[] = [];
    if (job.state === 'cancelled') sentences.push(t('links.bulk.job.cancelled'));
    if (job.state === 'failed')
      sentences.push(t(`links.bulk.job.${job.problem?.code === 'stopped' ? 'stopped' : 'failed'}`));
    if (job.problem && job.problem.code !== 'stopped') {
      const { code, message } = job.problem;
      sentences.push(new ApiFailure('refused', message, { code }).message);
    }
    if (done > 0 || job.state === 'done') {
      const label = jobLabel(job.action);
      const key =
        label === 'change' ? ('links.bulk.job.changed' as const) : (`links.bulk.done.${label}` as const);
      sentences.push(t(key, { n: format.number(done) }, done));
    }
    if (locked > 0) sentences.push(t('links.bulk.lockedStay', { n: format.number(locked) }, locked));
    if (foreign > 0) sentences.push(t('links.bulk.foreignStay', { n: format.number(foreign) }, foreign));
    if (unfit > 0) sentences.push(t('links.bulk.noRoom', { n: format.number(unfit) }, unfit));
    if (taken > 0) sentences.push(t('links.bulk.job.aliasTaken', { n: format.number(taken) }, taken));
    const message = sentences.join(' ');
    const undoId = job.undo;
    if (undoId !== null) {
      offerUndo(message, async () => {
        await call(undo, { params: { id: undoId } });
        await refresh();
      });
    } else if (job.state === 'failed') showProblem(message);
    else showDone(message);
  }

  store.onOver(tell);
  watch(
    // After a page reload, the server's features are not known immediately.
    () => [instance.scope, instance.can('bulk-jobs')],
    () => void store.look(),
    { immediate: true },
  );
  onScopeDispose(useConnectionStore().onFound(() => void store.look()));
  return {
    shown: computed(() => store.jobs),
    look: store.look,
    cancel: (id: number): void => void store.cancel(id).catch(showFailure),
  };
}
