import {
  addChannel,
  assignChannel,
  deleteChannel,
  getChannel,
  listChannels,
  restoreChannel,
  unassignChannel,
  updateChannel,
} from '../../contract/channels.ts';
import { listPage, offsetOf, pageCounts, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { ChannelRow } from './queries.ts';
import type { ChannelService } from './service.ts';

/** The channels endpoints (contract, "Channels"). */
export function channelRoutes({ channels }: { channels: ChannelService }): Route[] {
  return [
    route(listChannels, async ({ caller, query, marksOf, sees }) => {
      const filter = { q: query.q, starred: query.filter === 'starred' };
      const page = await channels.list(caller, filter, listPage(caller, query));
      const { items } = query;
      const rows = page.rows.map(async (row) => ({
        ...presentChannel(row),
        count: row.count,
        ...marksOf(row),
        ...(items !== undefined && {
          counts: channels.countItems(row),
          items: (await channels.listItems(row, undefined, caller, { limit: items, offset: 0 })).filter(
            ({ type, id }) => sees(type, id),
          ),
        }),
      }));
      return pageReply('channels', { total: page.total, rows: await Promise.all(rows) }, query, (row) => row);
    }),
    route(getChannel, async ({ caller, id, query, sees }) => {
      const row = channels.get(id, caller);
      const page = { limit: query.limit, offset: offsetOf(query) };
      if (query.below === '1') {
        const { rows, total } = await channels.listNested(row, query.type, caller, page);
        const seen = rows.filter((item) => sees(item.type, item.id));
        return { data: { ...pageCounts(total, query), items: seen } };
      }
      const items = await channels.listItems(row, query.type, caller, page);
      const total = query.type ? channels.countItems(row)[query.type] : row.count;
      const seen = items.filter((item) => sees(item.type, item.id));
      return { data: { ...pageCounts(total, query), items: seen } };
    }),
    route(addChannel, ({ caller, body }) => presentChannel(channels.add(caller, body))),
    route(
      updateChannel,
      ({ caller, id, body }) => ({
        message: 'The channel was updated.',
        ...presentChannel(channels.update(id, caller, body)),
      }),
      ({ caller, id, marksOf }) => {
        const row = channels.get(id, caller);
        return { ...presentChannel(row), count: row.count, ...marksOf(row) };
      },
    ),
    route(deleteChannel, async ({ caller, id }) => {
      await channels.remove(id, caller);
      return { message: 'The channel was deleted. Its items were kept.' };
    }),
    route(restoreChannel, async ({ caller, id }) => presentChannel(await channels.restore(id, caller))),
    route(assignChannel, async ({ caller, ids, params }) => {
      await channels.assign(ids.channelid, params.type, ids.itemid, caller);
      return { message: 'The item was assigned to the channel.' };
    }),
    route(unassignChannel, async ({ caller, ids, params }) => {
      await channels.unassign(ids.channelid, params.type, ids.itemid, caller);
      return { message: 'The item was removed from the channel.' };
    }),
  ];
}

function presentChannel({ id, name, description, color, starred }: ChannelRow) {
  return { id, name, description, color, starred: starred === 1 };
}
