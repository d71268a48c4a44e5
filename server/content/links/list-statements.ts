import { conditionsOf, foundBy, type LinkFilter } from './link-filter.ts';
import { rowColumns, rowSource } from './queries.ts';

/** An order of links: the index that has it, and what it reads forwards and backwards. */
export interface Order {
  index: string;
  forwards: string;
  backwards: string;
}

export const byDate: Order = {
  index: 'links_by_user',
  forwards: 'links.created_at DESC, links.id DESC',
  backwards: 'links.created_at, links.id',
};
const byClicks: Order = {
  index: 'links_by_clicks',
  forwards: 'links.clicks DESC, links.id DESC',
  backwards: 'links.clicks, links.id',
};
const byName: Order = {
  index: 'links_by_name',
  forwards: 'ifnull(links.title, links.alias) COLLATE NOCASE, links.id',
  backwards: 'ifnull(links.title, links.alias) COLLATE NOCASE DESC, links.id DESC',
};
/** The same order from its other end. */
export const turned = ({ index, forwards, backwards }: Order): Order => ({
  index,
  forwards: backwards,
  backwards: forwards,
});

/** Orders by their names in requests. */
export const orders: Record<string, Order> = {
  date: byDate,
  date_desc: byDate,
  date_asc: turned(byDate),
  clicks: byClicks,
  clicks_desc: byClicks,
  clicks_asc: turned(byClicks),
  click: byClicks,
  click_desc: byClicks,
  click_asc: turned(byClicks),
  name: byName,
  name_asc: byName,
  name_desc: turned(byName),
};

/** The ids of a page by the index of the order, whatever else must be checked in each row. */
export function idsInOrder(filter: LinkFilter, { index, forwards }: Order, from = 'true'): string {
  const { campaign, channel, below, status } = filter;
  const isByDate = index === byDate.index;
  if (isByDate && channel !== undefined && below !== '1') {
    const live = status === 'trash' ? 0 : 1;
    const order = forwards
      .replaceAll('links.created_at', 'members.created_at')
      .replaceAll('links.id', 'members.link_id');
    return `SELECT members.link_id AS id FROM link_channels AS members CROSS JOIN links ON links.id = members.link_id
      WHERE members.channel_id = @channel AND members.live = ${live} AND ${conditionsOf(filter).join(' AND ')}
      ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  }
  const source =
    isByDate && campaign !== undefined ? 'links INDEXED BY links_by_campaign' : `links INDEXED BY ${index}`;
  return `SELECT links.id AS id FROM ${source} WHERE ${conditionsOf(filter).join(' AND ')} AND ${from}
    ORDER BY ${forwards} LIMIT @limit OFFSET @offset`;
}

/** The place in an order by date that so many links are before (`offset`): `at` and `id` of the link that is there. */
export function placeInOrder(filter: LinkFilter, order: Order): string {
  return idsInOrder(filter, order)
    .replace('links.id AS id', 'links.created_at AS at, links.id AS id')
    .replace('LIMIT @limit', 'LIMIT 1');
}

/** The links of an order by date from a place on. */
export function fromPlace({ forwards }: Order): string {
  return `(links.created_at, links.id) ${forwards === byDate.forwards ? '<=' : '>='} (@at, @id)`;
}

/** The ids of the same page as `idsInOrder`, read from the far end in reversed order; `total` is the list's length. */
export function idsFromEnd(filter: LinkFilter, order: Order, total: string): string {
  // Nothing is counted once a campaign or channel is gone.
  const left = `ifnull(${total}, 0) - @offset`;
  return idsInOrder(filter, turned(order)).replace(
    'LIMIT @limit OFFSET @offset',
    `LIMIT max(0, min(@limit, ${left})) OFFSET max(0, ${left} - @limit)`,
  );
}

/** Ids of a page of the filter's result, sorted. */
export function sortedIds(filter: LinkFilter, { forwards }: Order): string {
  const { source, where } = foundBy(filter);
  return `SELECT links.id AS id FROM ${source} WHERE ${where} ORDER BY ${forwards} LIMIT @limit OFFSET @offset`;
}

/** The rows of some ids, in their order: the ids are the outer loop of the join. */
export function rowsOf(ids: string): string {
  return `SELECT ${rowColumns} ${picked(ids)}`;
}

/** The links that some ids pick out, with what their rows show. */
export function picked(ids: string): string {
  return `FROM (${ids}) AS picked CROSS JOIN ${rowSource.replace('links', 'links ON links.id = picked.id')}`;
}
