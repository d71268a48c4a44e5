import { useOverlay } from '@nuxt/ui/composables';
import type { LinkChange } from '../../../server/contract/links.ts';
import { simulateLink } from '../../../server/contract/simulator.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import CaseChangesDialog from './CaseChangesDialog.vue';

/** Link fields that do not affect where visitors are sent. */
const harmless = new Set([
  'title',
  'note',
  'description',
  'channel',
  'campaign',
  'status',
  'locked',
  'pixels',
]);

/**
 * Returns `mayChange(id, change)`: whether an edit may be saved, which is the case if no saved case changes its
 * outcome, or if the user confirms. Throws ApiFailure, also for changes that the update would reject.
 */
export function useCaseCheck(): (id: number, change: LinkChange) => Promise<boolean> {
  const store = useInstanceStore();
  const overlay = useOverlay();
  return async (id, change) => {
    const matters = Object.keys(change).some((name) => !harmless.has(name));
    if (!matters || !store.can('simulate')) return true;
    const { cases } = (await call(simulateLink, { params: { id }, body: { change } })).data;
    if (!cases || cases.changed === 0) return true;
    // A new instance each time: with `destroyOnClose`, a closed dialog cannot be reopened.
    const dialog = overlay.create(CaseChangesDialog, { destroyOnClose: true });
    return (await dialog.open({ cases }).result) === true;
  };
}
