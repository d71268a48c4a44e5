import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { previewQr, type QrChange } from '../../../server/contract/qr.ts';
import { call } from '../../api/client.ts';
import { useDrawing } from '../../ui/use-drawing.ts';

/** A code as the server drew it, and whether it scans. */
export type DrawnQr = ReplyOf<typeof previewQr>['data'];

/**
 * A code as the program that draws the real one draws it, and whether it scans. `draft` is undefined while none is
 * wanted.
 */
export function useQrPreview(draft: () => (QrChange & { id?: number }) | undefined) {
  return useDrawing({
    draft,
    draw: async (body, signal) => (await call(previewQr, { body, signal })).data,
  });
}
