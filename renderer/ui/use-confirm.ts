import { useOverlay } from '@nuxt/ui/composables';
import ConfirmDialog from './ConfirmDialog.vue';

export interface Question {
  readonly title: string;
  readonly description: string;
  readonly action: string;
}

/** Returns `confirm(question)`: resolves to whether the person wants what cannot be undone. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const dialog = useOverlay().create(ConfirmDialog, { destroyOnClose: true });
  return async (question) => (await dialog.open({ ...question }).result) === true;
}
