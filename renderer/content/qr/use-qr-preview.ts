import type { ReplyOf } from '../../../server/contract/endpoint.ts';
import { previewQr, type QrChange } from '../../../server/contract/qr.ts';
import { call } from '../../api/client.ts';
import { useDrawing } from '../../ui/use-drawing.ts';

/** A code as rendered by the server, with the result of its scan test. */
export type DrawnQr = ReplyOf<typeof previewQr>['data'];

/**
 * Live preview of a code by the server's own renderer, with its scan test. `draft` is undefined if no preview is
 * needed.
 */
export function useQrPreview(draft: () => (QrChange & { id?: number }) | undefined) {
  return useDrawing({
    draft,
    draw: async (body, signal) => (await call(previewQr, { body, signal })).data,
  });
}
