import { addPixel, deletePixel, getPixel, listPixels, type Pixel, updatePixel } from '../contract/pixels.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { type Route, route } from '../http/serve.ts';
import { presentMoment } from '../http/timestamps.ts';
import type { PixelRow } from './queries.ts';
import type { PixelService } from './service.ts';

/** The pixels endpoints (contract; decisions, section 5). */
export function pixelRoutes({ pixels }: { pixels: PixelService }): Route[] {
  return [
    route(listPixels, ({ caller, query }) => {
      const page = pixels.list(caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('pixels', page, query, (row) => presentPixel(row, caller.user.timezone));
    }),
    route(getPixel, ({ caller, id }) => ({
      data: presentPixel(pixels.get(id, caller), caller.user.timezone),
    })),
    route(addPixel, ({ caller, body }) => ({ id: pixels.add(caller, body) })),
    route(updatePixel, ({ caller, id, body }) => {
      pixels.update(id, caller, body);
      return { message: 'The pixel was changed.' };
    }),
    route(deletePixel, ({ caller, id }) => {
      pixels.remove(id, caller);
      return { message: 'The pixel was deleted.' };
    }),
  ];
}

function presentPixel({ id, type, name, tag, created_at }: PixelRow, timezone: string): Pixel {
  return { id, type, name, tag, date: presentMoment(created_at, timezone) };
}
