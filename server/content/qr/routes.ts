import type { z } from 'zod';
import type { linkMetrics } from '../../contract/links.ts';
import {
  addQr,
  deleteQr,
  getQr,
  listQr,
  previewQr,
  qrFormatOf,
  renderQr,
  restoreQr,
  updateQr,
} from '../../contract/qr.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listPage, pageReply } from '../../platform/http/pagination.ts';
import { checkGrants } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { type QrImages, readExtent } from './images.ts';
import { presentQr, presentQrDetails } from './presenter.ts';
import { publicAddress } from './record.ts';
import type { QrService } from './service.ts';

interface Options {
  qr: QrService;
  /** A summary of a link's clicks; empty without a link. */
  metrics: (linkId: number | undefined) => Promise<z.output<typeof linkMetrics>>;
  images: QrImages;
  baseUrl: () => string;
}

/** The endpoints of QR codes (decision 0017). */
export function qrRoutes({ qr, metrics, images, baseUrl }: Options): Route[] {
  return [
    route(listQr, async ({ caller, query, editInfoOf }) => {
      const page = await qr.list(caller, query, listPage(caller, query));
      const context = { timezone: caller.user.timezone, baseUrl: baseUrl() };
      return pageReply('qrs', page, query, (row) => ({ ...presentQr(row, context), ...editInfoOf(row) }));
    }),
    route(getQr, async ({ caller, id, editInfoOf }) => {
      const row = qr.get(id, caller);
      const context = { timezone: caller.user.timezone, baseUrl: baseUrl() };
      const record = presentQrDetails(row, qr.recentDays(row), context);
      const { link, scans, name, date } = record;
      const ownLink = row.link_alias === null ? undefined : (row.link_id ?? undefined);
      return {
        details: { id, link, scans, name, date },
        data: { ...record, ...editInfoOf(row), ...(await metrics(ownLink)) },
      };
    }),
    route(addQr, async ({ caller, body }) => {
      checkLinked(caller, body);
      const { row, warnings } = await qr.add(caller, body);
      const link = publicAddress(row, baseUrl());
      return { id: row.id, link, message: 'The QR code was created.', warnings };
    }),
    route(
      updateQr,
      async ({ caller, id, body }) => {
        checkLinked(caller, body);
        const { row, warnings } = await qr.update(id, caller, body);
        return { id, link: publicAddress(row, baseUrl()), message: 'The QR code was updated.', warnings };
      },
      ({ caller, id, editInfoOf }) => {
        const row = qr.get(id, caller);
        const context = { timezone: caller.user.timezone, baseUrl: baseUrl() };
        return { ...presentQrDetails(row, qr.recentDays(row), context), ...editInfoOf(row) };
      },
    ),
    route(deleteQr, async ({ caller, id }) => {
      await qr.remove(id, caller);
      return { message: 'The QR code was deleted.' };
    }),
    route(restoreQr, async ({ caller, id }) => {
      const row = await qr.restore(id, caller);
      return { id, link: publicAddress(row, baseUrl()), message: 'The QR code was restored.' };
    }),
    route(renderQr, async ({ caller, id, query }) => {
      const row = qr.get(id, caller);
      const extent = readExtent(query.size ?? null);
      const format = qrFormatOf(query.format) ?? 'png';
      const { type, body } = await images.render(row, format, extent, accountParty(caller.user.id));
      const filename = `${row.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '') || row.alias}.${format}`;
      return { data: { filename, type, base64: body.toString('base64') } };
    }),
    route(previewQr, async ({ caller, body }) => {
      checkLinked(caller, body);
      const { id, ...change } = body;
      const { svg, parts, level, size, problem, warnings } = await qr.preview(caller, change, id);
      return {
        data: {
          svg,
          encoded: parts.text,
          correction: level,
          size,
          problem: problem ?? null,
          warnings,
        },
      };
    }),
  ];
}

/** Throws 403 for a key that would read the addresses of links by their ids, which it may not read itself. */
function checkLinked(caller: Caller, { data }: { data?: unknown }): void {
  if (typeof data === 'object' && data !== null && 'link' in data)
    checkGrants(caller.key.scopes, 'links:read');
}
