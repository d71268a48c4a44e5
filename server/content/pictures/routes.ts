import { addPicture } from '../../contract/pictures.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { PictureService } from './service.ts';

/** Pictures that are uploaded for the fields of pages, domains and accounts. */
export function pictureRoutes({ pictures }: { pictures: Pick<PictureService, 'upload'> }): Route[] {
  return [
    route(addPicture, async ({ caller, body }) => ({ url: await pictures.upload(caller, body.picture) })),
  ];
}
