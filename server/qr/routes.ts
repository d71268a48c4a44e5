import { addQr, deleteQr, getQr, listQr, previewQr, updateQr } from '../contract/qr.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { type Route, route } from '../http/serve.ts';
import { svgOf } from './drawing/svg.ts';
import { presentQr, presentQrDetails } from './presenter.ts';
import { publicAddress } from './record.ts';
import type { QrService } from './service.ts';

interface Options {
  qr: QrService;
  baseUrl: () => string;
}

/** Width of a preview; as a vector it is shown at any size. */
const previewWidth = 320;

/** The endpoints of QR codes (decisions, section 5). */
export function qrRoutes({ qr, baseUrl }: Options): Route[] {
  return [
    route(listQr, ({ caller, query }) => {
      const page = qr.list(caller, query, { limit: query.limit, offset: offsetOf(query) });
      const context = { timezone: caller.user.timezone, baseUrl: baseUrl() };
      return pageReply('qrs', page, query, (row) => presentQr(row, context));
    }),
    route(getQr, ({ caller, id }) => {
      const row = qr.get(id, caller);
      const context = { timezone: caller.user.timezone, baseUrl: baseUrl() };
      return { data: presentQrDetails(row, qr.recentDays(row), context) };
    }),
    route(addQr, async ({ caller, body }) => {
      const row = await qr.add(caller, body);
      return { id: row.id, link: publicAddress(row, baseUrl()), message: 'The QR code was created.' };
    }),
    route(updateQr, async ({ caller, id, body }) => {
      const row = await qr.update(id, caller, body);
      return { id, link: publicAddress(row, baseUrl()), message: 'The QR code was changed.' };
    }),
    route(deleteQr, ({ caller, id }) => {
      qr.remove(id, caller);
      return { message: 'The QR code was deleted.' };
    }),
    route(previewQr, async ({ caller, body }) => {
      const { id, ...change } = body;
      const { design, logo, problem } = await qr.preview(caller, change, id);
      return {
        data: {
          svg: svgOf(design.scene, logo, { width: previewWidth, unit: 'px' }),
          encoded: design.text,
          correction: design.symbol.level,
          size: design.symbol.size,
          problem: problem ?? null,
        },
      };
    }),
  ];
}
