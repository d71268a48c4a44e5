import {
  addSplash,
  deleteSplash,
  getSplash,
  listSplash,
  previewSplash,
  restoreSplash,
  type SplashDetails,
  type SplashPage,
  updateSplash,
} from '../../contract/splash.ts';
import { listPage, pageReply } from '../../platform/http/pagination.ts';
import { languagesOf } from '../../platform/http/reader-languages.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { splashPreview } from '../../visits/redirects/pages/preview-pages.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import type { CountedSplashRow } from './queries.ts';
import type { SplashService } from './service.ts';

/** The endpoints of custom splash pages (contract; decision 0016). */
export function splashRoutes({ splash }: { splash: SplashService }): Route[] {
  async function details({
    caller,
    id,
    editInfoOf,
  }: Pick<Call<typeof getSplash>, 'caller' | 'id' | 'editInfoOf'>) {
    const row = splash.get(id, caller);
    const links = await splash.countLinks(id);
    return { ...presentDetails({ ...row, links }, caller.user.timezone), ...editInfoOf(row) };
  }

  return [
    route(listSplash, async ({ caller, query, editInfoOf }) => {
      const page = await splash.list(caller, query.q, listPage(caller, query));
      return pageReply('splash', page, query, (row) => ({
        ...presentSplash(row, caller.user.timezone),
        ...editInfoOf(row),
      }));
    }),
    route(getSplash, async (call) => ({ data: await details(call) })),
    route(previewSplash, async ({ caller, body, request }) => {
      const { splash: content, problems } = await splash.draft(caller, body);
      return { data: { html: splashPreview(content, textsFor(languagesOf({ caller, request }))), problems } };
    }),
    route(addSplash, async ({ caller, body }) => {
      const { id } = await splash.add(caller, body);
      return { id, message: 'The splash page was created.' };
    }),
    route(
      updateSplash,
      async ({ caller, id, body }) => {
        await splash.update(id, caller, body);
        return { message: 'The splash page was updated.' };
      },
      details,
    ),
    route(deleteSplash, async ({ caller, id }) => {
      await splash.remove(id, caller);
      return { message: 'The splash page was deleted.' };
    }),
    route(restoreSplash, async ({ caller, id }) => {
      await splash.restore(id, caller);
      return { message: 'The splash page was restored.' };
    }),
  ];
}

function presentSplash(
  { id, name, title, created_at, links }: CountedSplashRow,
  timezone: string,
): SplashPage {
  return { id, name, date: presentTimestamp(created_at, timezone), title, links };
}

function presentDetails(row: CountedSplashRow, timezone: string): SplashDetails {
  const { title, message, product, avatar, banner, counter } = row;
  return { ...presentSplash(row, timezone), title, message, product, avatar, banner, counter };
}
