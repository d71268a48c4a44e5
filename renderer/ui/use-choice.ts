import { useOverlay } from '@nuxt/ui/composables';
import type { Choice } from './choice.ts';
import { lazyComponent } from './lazy-component.ts';

/** Number of records up to which a menu lists them; rendering thousands of items would take seconds. */
export const mostInMenu = 100;

const ChoiceDialog = lazyComponent(() => import('./ChoiceDialog.vue'));

/**
 * Returns `choose(question)`, which asks for one of many records in a dialog with a search field. Resolves to its value,
 * or to undefined if the user cancels.
 */
export function useChoice() {
  const overlay = useOverlay();
  return async (question: {
    readonly title: string;
    readonly placeholder: string;
    readonly choices: readonly Choice[];
  }): Promise<number | undefined> => {
    const dialog = overlay.create(ChoiceDialog, { destroyOnClose: true });
    const value: unknown = await dialog.open({ ...question }).result;
    return typeof value === 'number' ? value : undefined;
  };
}
