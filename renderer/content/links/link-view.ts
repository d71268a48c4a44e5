import type { LocationQuery } from 'vue-router';
import type { linkOrders } from '../../../server/contract/links.ts';
import { linkStatuses } from '../../../server/contract/links.ts';

export type LinkStatus = (typeof linkStatuses)[number];
export type LinkOrder = Extract<(typeof linkOrders)[number], `${string}_asc` | `${string}_desc`>;

/** The available sort orders, each in both directions. */
export const offeredOrders = [
  'date_desc',
  'date_asc',
  'clicks_desc',
  'clicks_asc',
  'name_asc',
  'name_desc',
] as const;
export const defaultOrder: LinkOrder = 'date_desc';

/** The statuses offered by the filter; the trash is a separate view. */
export const offeredStatuses = linkStatuses.filter((status) => status !== 'trash' && status !== 'public');

/** Filter and sort order of the link list. Stored in the URL, so that Back restores it. */
export interface LinkView {
  readonly q: string;
  readonly status?: LinkStatus | undefined;
  readonly channel?: number | undefined;
  readonly campaign?: number | undefined;
  readonly pixel?: number | undefined;
  /** The creator, in a team. */
  readonly member?: number | undefined;
  /** Only links with a broken destination. */
  readonly health?: 'broken' | undefined;
  /** Host name. */
  readonly domain?: string | undefined;
  readonly order: LinkOrder;
}

/** Parses a view from the URL query; unknown values are ignored. */
export function viewOfQuery(query: LocationQuery, order: LinkOrder): LinkView {
  const status = linkStatuses.find((known) => known === query.status);
  return {
    q: typeof query.q === 'string' ? query.q : '',
    status,
    channel: idOf(query.channel),
    campaign: idOf(query.campaign),
    pixel: idOf(query.pixel),
    member: idOf(query.member),
    health: query.health === 'broken' ? query.health : undefined,
    domain: typeof query.domain === 'string' && query.domain !== '' ? query.domain : undefined,
    order: offeredOrders.find((known) => known === query.order) ?? order,
  };
}

function idOf(value: LocationQuery[string] | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(String(value ?? '')) ? Number(value) : undefined;
}

/** The URL query of a view; defaults are omitted. */
export function queryOfView(view: LinkView, usual: LinkOrder): Record<string, string> {
  return {
    ...(view.q && { q: view.q }),
    ...(view.status && { status: view.status }),
    ...(view.channel !== undefined && { channel: String(view.channel) }),
    ...(view.campaign !== undefined && { campaign: String(view.campaign) }),
    ...(view.pixel !== undefined && { pixel: String(view.pixel) }),
    ...(view.member !== undefined && { member: String(view.member) }),
    ...(view.health && { health: view.health }),
    ...(view.domain !== undefined && { domain: view.domain }),
    ...(view.order !== usual && { order: view.order }),
  };
}

/** The filter for listLinks and bulk actions. One-character searches, which the server rejects, are ignored. */
export function filterOfView({ q, status, channel, campaign, pixel, member, health, domain }: LinkView) {
  const wanted = q.trim();
  return {
    ...([...wanted].length >= 2 && { q: wanted }),
    ...(status && { status }),
    ...(channel !== undefined && { channel, below: '1' as const }),
    ...(campaign !== undefined && { campaign }),
    ...(health && { health }),
    ...(domain !== undefined && { domain }),
    ...(pixel !== undefined && { pixel }),
    ...(member !== undefined && { member }),
  };
}

/** Whether a view filters links, so that an empty list means "no matches" instead of "no links yet". */
export function isFiltered(view: LinkView): boolean {
  return Object.keys(filterOfView(view)).length > 0;
}
