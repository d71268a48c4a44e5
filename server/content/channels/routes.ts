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
import type { Caller } from '../../platform/http/caller.ts';
import { listPage, pageCounts, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { ChannelRow } from './queries.ts';
import type { ChannelService } from './service.ts';

/** The channels endpoints (contract, "Channels"). */
export function channelRoutes({ channels }: { channels: ChannelService }): Route[] {
  /**
   * The number of items in channels, as the caller may see it: people who see only their own records get no other
   * counts (T-43).
   */
  async function countersOf({ ownOnly, person }: Caller, rows: readonly ChannelRow[]) {
    const own = ownOnly
      ? await channels.ownCounts(
          rows.map(({ id }) => id),
          person.user.id,
        )
      : undefined;
    const ownOf = ({ id }: ChannelRow) => own?.get(id) ?? { links: 0, bio: 0, qr: 0 };
    return {
      byType: (row: ChannelRow) => (own ? ownOf(row) : channels.countItems(row)),
      total: (row: ChannelRow) =>
        own ? Object.values(ownOf(row)).reduce((sum, count) => sum + count, 0) : row.count,
    };
  }

  return [
    route(listChannels, async ({ caller, query, editInfoOf, sees }) => {
      const filter = { q: query.q, starred: query.filter === 'starred' };
      const page = await channels.list(caller, filter, listPage(caller, query));
      const { items } = query;
      const counters = await countersOf(caller, page.rows);
      const newest = listPage(caller, { limit: items ?? 0, page: 1 });
      const rows = page.rows.map(async (row) => ({
        ...presentChannel(row),
        count: counters.total(row),
        ...editInfoOf(row),
        ...(items !== undefined && {
          counts: counters.byType(row),
          items: (await channels.listItems(row, undefined, caller, newest)).filter(({ type, id }) =>
            sees(type, id),
          ),
        }),
      }));
      return pageReply('channels', { total: page.total, rows: await Promise.all(rows) }, query, (row) => row);
    }),
    route(getChannel, async ({ caller, id, query, sees }) => {
      const row = channels.get(id, caller);
      const page = listPage(caller, query);
      if (query.below === '1') {
        const { rows, total } = await channels.listNested(row, query.type, caller, page);
        const seen = rows.filter((item) => sees(item.type, item.id));
        return { data: { ...pageCounts(total, query), items: seen } };
      }
      const items = await channels.listItems(row, query.type, caller, page);
      const counters = await countersOf(caller, [row]);
      const total = query.type ? counters.byType(row)[query.type] : counters.total(row);
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
      async ({ caller, id, editInfoOf }) => {
        const row = channels.get(id, caller);
        const counters = await countersOf(caller, [row]);
        return { ...presentChannel(row), count: counters.total(row), ...editInfoOf(row) };
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
