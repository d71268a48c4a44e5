import { listChannels } from '../contract/channels.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { type Route, route } from '../http/serve.ts';
import type { ChannelQueries, ChannelRow } from './queries.ts';

/** Labels that group links by source. */
export function channelRoutes({ queries }: { queries: ChannelQueries }): Route[] {
  return [
    route(listChannels, ({ caller, query }) => {
      const filter = { q: query.q, starred: query.filter === 'starred' };
      const page = queries.list(caller.user.id, filter, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('channels', page, query, presentChannel);
    }),
  ];
}

function presentChannel({ id, name, description, color, starred, count }: ChannelRow) {
  return { id, name, description, color, starred: starred === 1, count };
}
