import { deletePixel, restorePixel } from '../../../server/contract/pixels.ts';
import { call } from '../../api/client.ts';
import { useReload } from '../../api/use-reload.ts';
import { useRemoveWithUndo } from '../../ui/use-remove-with-undo.ts';

/** Deletes pixels, with undo where the server supports it. */
export function usePixelActions() {
  const reloadOf = useReload();
  const reload = () => reloadOf('pixels', 'links');
  const remove = useRemoveWithUndo({
    labels: 'pixels',
    remove: (id) => call(deletePixel, { params: { id } }),
    restore: (id) => call(restorePixel, { params: { id } }),
    reload,
  });

  return { remove, reload };
}
