import { deleteFile, getFile, getStorage, listFiles, updateFile, uploadFile } from '../../contract/files.ts';
import type { Account } from '../../platform/http/caller.ts';
import { listPage, pageCounts } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { type PresentContext, presentFile } from './presenter.ts';
import type { FileService } from './service.ts';

interface Options {
  files: FileService;
  baseUrl: () => string;
  now: () => number;
}

/** The files endpoints (contract, "CTA overlays, custom splash, files"; decision 0019). */
export function fileRoutes({ files, baseUrl, now }: Options): Route[] {
  const contextOf = ({ user }: Account): PresentContext => ({
    timezone: user.timezone,
    baseUrl: baseUrl(),
    now: now(),
  });

  return [
    route(listFiles, async ({ caller, query, editInfoOf }) => {
      const { rows, total } = await files.list(caller, query.name, listPage(caller, query));
      const context = contextOf(caller);
      return {
        ...pageCounts(total, query),
        list: rows.map((row) => ({ ...presentFile(row, context), ...editInfoOf(row) })),
      };
    }),
    route(uploadFile, async ({ caller, params, query, request, checkStillAllowed }) => {
      const row = await files.upload(caller, params.filename, query, request, checkStillAllowed);
      return { id: row.id, shorturl: shortUrl(row, baseUrl()) };
    }),
    route(getStorage, ({ caller }) => ({ data: files.usage(caller) })),
    route(getFile, ({ caller, id, editInfoOf }) => {
      const row = files.get(id, caller);
      return { data: { ...presentFile(row, contextOf(caller)), ...editInfoOf(row) } };
    }),
    route(
      updateFile,
      async ({ caller, id, body, editInfoOf }) => {
        const row = await files.update(id, caller, body);
        return {
          message: 'The file was updated.',
          data: { ...presentFile(row, contextOf(caller)), ...editInfoOf(row) },
        };
      },
      ({ caller, id, editInfoOf }) => {
        const row = files.get(id, caller);
        return { ...presentFile(row, contextOf(caller)), ...editInfoOf(row) };
      },
    ),
    route(deleteFile, async ({ caller, id }) => {
      await files.remove(id, caller);
      return { message: 'The file was deleted.' };
    }),
  ];
}
