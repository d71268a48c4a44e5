import { useOverlay } from '@nuxt/ui/composables';
import ConfirmDialog from './ConfirmDialog.vue';

export interface Question {
  readonly title: string;
  readonly description: string;
  readonly action: string;
}

/** Returns `confirm(question)`: resolves to whether the person wants what cannot be undone. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const overlay = useOverlay();
  return async (question) => {
    // One for each question: a dialog that was closed is gone and cannot be opened again.
    const dialog = overlay.create(ConfirmDialog, { destroyOnClose: true });
    return (await dialog.open({ ...question }).result) === true;
  };
}
