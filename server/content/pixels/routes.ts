import {
  addPixel,
  deletePixel,
  getPixel,
  listPixels,
  type Pixel,
  type PixelRequests,
  restorePixel,
  updatePixel,
} from '../../contract/pixels.ts';
import type { Account } from '../../platform/http/caller.ts';
import { listPage, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import type { PixelRow } from './queries.ts';
import type { PixelService } from './service.ts';

interface Options {
  pixels: PixelService;
  /** What a page loads for a pixel. */
  requestsOf: (pixel: Pick<PixelRow, 'type' | 'tag'>) => PixelRequests;
}

/** The pixels endpoints (contract; decision 0016). */
export function pixelRoutes({ pixels, requestsOf }: Options): Route[] {
  async function present(row: PixelRow, caller: Account, figures: '0' | '1' | undefined): Promise<Pixel> {
    const record = presentPixel(row, caller.user.timezone);
    if (figures !== '1') return record;
    return { ...record, links: await pixels.countLinks(row, caller), requests: requestsOf(row) };
  }

  return [
    route(listPixels, async ({ caller, query, editInfoOf }) => {
      const page = await pixels.list(caller, query.q, listPage(caller, query));
      const rows = await Promise.all(
        page.rows.map(async (row) => ({
          ...(await present(row, caller, query.figures)),
          ...editInfoOf(row),
        })),
      );
      return pageReply('pixels', { total: page.total, rows }, query, (row) => row);
    }),
    route(getPixel, async ({ caller, id, query, editInfoOf }) => {
      const row = pixels.get(id, caller);
      return { data: { ...(await present(row, caller, query.figures)), ...editInfoOf(row) } };
    }),
    route(addPixel, ({ caller, body }) => ({ id: pixels.add(caller, body) })),
    route(
      updatePixel,
      ({ caller, id, body }) => {
        pixels.update(id, caller, body);
        return { message: 'The pixel was updated.' };
      },
      ({ caller, id, editInfoOf }) => {
        const row = pixels.get(id, caller);
        return { ...presentPixel(row, caller.user.timezone), ...editInfoOf(row) };
      },
    ),
    route(deletePixel, async ({ caller, id }) => {
      await pixels.remove(id, caller);
      return { message: 'The pixel was deleted.' };
    }),
    route(restorePixel, async ({ caller, id }) => {
      await pixels.restore(id, caller);
      return { message: 'The pixel was restored.' };
    }),
  ];
}

function presentPixel({ id, type, name, tag, created_at }: PixelRow, timezone: string): Pixel {
  return { id, type, name, tag, date: presentTimestamp(created_at, timezone) };
}
