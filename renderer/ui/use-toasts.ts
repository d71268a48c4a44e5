import { useToast } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { ApiFailure, isAbort } from '../api/failure.ts';
import { leaveMessage } from './focus-place.ts';
import { useFailureText } from './use-failure-text.ts';

/** How long undo is offered, in milliseconds. */
const undoTime = 8000;

/** Returns `showFailure(error)`: shows a failure as a toast. Aborted requests are ignored. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  const { t } = useI18n();
  const textOf = useFailureText();
  return (error) => {
    if (isAbort(error)) return;
    // Lost connections and missing API keys have their own banner and page.
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

/** Returns `showDone(message)`: a brief confirmation. */
export function useDoneToast(): (message: string) => void {
  const toast = useToast();
  return (message) =>
    void toast.add({ title: message, icon: 'i-lucide-circle-check', color: 'success', duration: 3500 });
}

/** Returns `showProblem(message)`: an error that the user did not just trigger. */
export function useProblemToast(): (message: string) => void {
  const toast = useToast();
  return (message) => void toast.add({ title: message, icon: 'i-lucide-circle-alert', color: 'error' });
}

/**
 * Returns `offerUndo(message, undo)`: shows a confirmation with an Undo button for a while. If `undo` throws an
 * ApiFailure, it is shown.
 */
export function useUndoToast(): (message: string, undo: () => Promise<void>) => void {
  const toast = useToast();
  const { t } = useI18n();
  const showFailure = useFailureToast();
  const showDone = useDoneToast();
  return (message, undo) => {
    // The toast remains clickable while it fades out: a double click would undo twice.
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
            leaveMessage();
            undo().then(() => showDone(t('ui.undo.done')), showFailure);
          },
        },
      ],
    });
  };
}
