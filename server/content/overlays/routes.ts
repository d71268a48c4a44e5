import {
  addOverlay,
  deleteOverlay,
  exportOverlayAnswers,
  getOverlay,
  listOverlayAnswers,
  listOverlays,
  type Overlay,
  type OverlayDetails,
  previewOverlay,
  restoreOverlay,
  updateOverlay,
} from '../../contract/overlays.ts';
import { listPage, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { languagesOf } from '../../platform/http/reader-languages.ts';
import { sendInDocument } from '../../platform/http/sent-file.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { overlayPreview } from '../../visits/redirects/pages/preview-pages.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import type { OverlayCounts, OverlayRow } from './queries.ts';
import type { OverlayService } from './service.ts';

/** The endpoints of CTA overlays (contract; decision 0016). */
export function overlayRoutes({ overlays }: { overlays: OverlayService }): Route[] {
  async function details({
    caller,
    id,
    editInfoOf,
  }: Pick<Call<typeof getOverlay>, 'caller' | 'id' | 'editInfoOf'>) {
    const row = overlays.get(id, caller);
    const counts = await overlays.countsOf(id);
    return { ...presentDetails({ ...row, ...counts }, caller.user.timezone), ...editInfoOf(row) };
  }

  return [
    route(listOverlays, async ({ caller, query, editInfoOf }) => {
      const { q, type } = query;
      const page = await overlays.list(caller, { q, type }, listPage(caller, query));
      return pageReply('cta', page, query, (row) => ({
        ...presentOverlay(row, caller.user.timezone),
        ...editInfoOf(row),
      }));
    }),
    route(getOverlay, async (call) => ({ data: await details(call) })),
    route(listOverlayAnswers, async ({ caller, id, query }) => {
      const page = await overlays.listAnswers(id, caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('answers', page, query, ({ value, count, at }) => ({
        value,
        count,
        date: presentTimestamp(at, caller.user.timezone),
      }));
    }),
    route(exportOverlayAnswers, ({ caller, id, context, checkStillAllowed }) => {
      sendInDocument(context, overlays.exportAnswers(id, caller, checkStillAllowed));
      return undefined;
    }),
    route(previewOverlay, async ({ caller, body, request }) => {
      const { overlay, problem } = await overlays.draft(caller, body);
      const html = overlayPreview(overlay, textsFor(languagesOf({ caller, request })));
      return { data: { html, problems: problem ? [problem] : [] } };
    }),
    route(addOverlay, async ({ caller, body }) => {
      const { id } = await overlays.add(caller, body);
      return { id, message: 'The overlay was created.' };
    }),
    route(
      updateOverlay,
      async ({ caller, id, body }) => {
        await overlays.update(id, caller, body);
        return { message: 'The overlay was updated.' };
      },
      details,
    ),
    route(deleteOverlay, async ({ caller, id }) => {
      await overlays.remove(id, caller);
      return { message: 'The overlay was deleted.' };
    }),
    route(restoreOverlay, async ({ caller, id }) => {
      await overlays.restore(id, caller);
      return { message: 'The overlay was restored.' };
    }),
  ];
}

function presentOverlay(
  { id, type, name, created_at, links, answers }: OverlayRow & OverlayCounts,
  timezone: string,
): Overlay {
  return { id, type, name, date: presentTimestamp(created_at, timezone), links, answers };
}

function presentDetails(row: OverlayRow & OverlayCounts, timezone: string): OverlayDetails {
  return {
    ...presentOverlay(row, timezone),
    // Both were checked against the contract when they were written.
    position: row.position as OverlayDetails['position'],
    colors: JSON.parse(row.colors) as OverlayDetails['colors'],
    content: JSON.parse(row.content) as OverlayDetails['content'],
    limitreached: presentOptional(row.limited_at, timezone),
  };
}
