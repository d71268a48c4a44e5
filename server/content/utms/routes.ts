import { addUtm, deleteUtm, listUtms, updateUtm } from '../../contract/utms.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { UtmService } from './service.ts';

/** The endpoints of UTM templates (decision 0082). */
export function utmRoutes({ utms }: { utms: UtmService }): Route[] {
  return [
    route(listUtms, async ({ caller, query }) => {
      const page = await utms.list(caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('utms', page, query, (row) => row);
    }),
    route(addUtm, ({ caller, body }) => ({ id: utms.add(caller, body) })),
    route(
      updateUtm,
      ({ caller, id, body }) => {
        utms.update(id, caller, body);
        return { message: 'The UTM template was updated.' };
      },
      ({ caller, id }) => utms.get(id, caller),
    ),
    route(deleteUtm, ({ caller, id }) => {
      utms.remove(id, caller);
      return { message: 'The UTM template was deleted.' };
    }),
  ];
}
