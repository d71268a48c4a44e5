import { useOverlay } from '@nuxt/ui/composables';
import ConfirmDialog from './ConfirmDialog.vue';

export interface Question {
  readonly title: string;
  readonly description: string;
  readonly action: string;
}

/** Returns `confirm(question)`, which resolves to whether the user confirmed an action that cannot be undone. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const overlay = useOverlay();
  return async (question) => {
    // A new instance each time: with `destroyOnClose`, a closed dialog cannot be reopened.
    const dialog = overlay.create(ConfirmDialog, { destroyOnClose: true });
    return (await dialog.open({ ...question }).result) === true;
  };
}
