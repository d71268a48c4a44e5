import { useOverlay } from '@nuxt/ui/composables';
import type { LinkChange } from '../../../server/contract/links.ts';
import { simulateLink } from '../../../server/contract/simulator.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import CaseChangesDialog from './CaseChangesDialog.vue';

/** Fields of a link that decide nothing about where a visitor goes. */
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
 * Returns `mayChange(id, change)`: whether an edit of a link may be saved. It may when no saved case comes out
 * differently, or when the person wants it all the same. Throws ApiFailure for what the update would refuse, too.
 */
export function useCaseCheck(): (id: number, change: LinkChange) => Promise<boolean> {
  const store = useInstanceStore();
  const overlay = useOverlay();
  return async (id, change) => {
    const matters = Object.keys(change).some((name) => !harmless.has(name));
    if (!matters || !store.can('simulate')) return true;
    const { cases } = (await call(simulateLink, { params: { id }, body: { change } })).data;
    if (!cases || cases.changed === 0) return true;
    // One for each question: a dialog that was closed is gone and cannot be opened again.
    const dialog = overlay.create(CaseChangesDialog, { destroyOnClose: true });
    return (await dialog.open({ cases }).result) === true;
  };
}
