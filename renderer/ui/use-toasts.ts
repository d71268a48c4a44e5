import { useToast } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { ApiFailure, isAbort } from '../api/failure.ts';
import { useFailureText } from './use-failure-text.ts';

/** How long an undo is offered. Milliseconds. */
const undoTime = 8000;

/**
 * Returns `showFailure(error)`: a failure that belongs to no field, as a toast. An abort by the caller is no failure.
 */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  const { t } = useI18n();
  const textOf = useFailureText();
  return (error) => {
    if (isAbort(error)) return;
    // A lost connection and a missing key have a banner and a page of their own.
    if (error instanceof ApiFailure && (error.kind === 'unreachable' || error.kind === 'unauthorized'))
      return;
    toast.add({
      title: t('ui.failure.title'),
      description: textOf(error),
      icon: 'i-lucide-circle-alert',
      color: 'error',
    });
  };
}

/** Returns `showDone(message)`: a short confirmation. */
export function useDoneToast(): (message: string) => void {
  const toast = useToast();
  return (message) =>
    void toast.add({ title: message, icon: 'i-lucide-circle-check', color: 'success', duration: 3500 });
}

/** Returns `showProblem(message)`: something went wrong that was not asked for just now. */
export function useProblemToast(): (message: string) => void {
  const toast = useToast();
  return (message) => void toast.add({ title: message, icon: 'i-lucide-circle-alert', color: 'error' });
}

/**
 * Returns `offerUndo(message, undo)`: tells what was done and offers to take it back for a while. `undo` may throw
 * ApiFailure; the person is told.
 */
export function useUndoToast(): (message: string, undo: () => Promise<void>) => void {
  const toast = useToast();
  const { t } = useI18n();
  const showFailure = useFailureToast();
  const showDone = useDoneToast();
  return (message, undo) => {
    // It is still there for a moment while it goes: the second half of a double click would take back what is back.
    let isTaken = false;
    const { id } = toast.add({
      title: message,
      icon: 'i-lucide-circle-check',
      color: 'neutral',
      duration: undoTime,
      actions: [
        {
          label: t('ui.undo.action'),
          icon: 'i-lucide-undo-2',
          color: 'neutral',
          variant: 'outline',
          onClick: () => {
            if (isTaken) return;
            isTaken = true;
            toast.remove(id);
            undo().then(() => showDone(t('ui.undo.done')), showFailure);
          },
        },
      ],
    });
  };
}
