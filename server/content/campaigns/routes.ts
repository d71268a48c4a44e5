import {
  addCampaign,
  assignCampaign,
  deleteCampaign,
  getCampaign,
  getCampaignStats,
  listCampaigns,
  orderCampaign,
  restoreCampaign,
  unassignCampaign,
  updateCampaign,
} from '../../contract/campaigns.ts';
import type { Omitted } from '../../contract/privacy.ts';
import { forbidden, notFound, type Refusal } from '../../platform/errors.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { listPage, pageCounts, pageReply } from '../../platform/http/pagination.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { presentStats } from '../../visits/stats/presenter.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { statsRequest } from '../../visits/stats/stats-request.ts';
import { type PresentContext, presentCampaign, presentCampaignLink, presentReply } from './presenter.ts';
import type { CampaignLists, CampaignRow } from './queries.ts';
import type { CampaignService } from './service.ts';

interface Options {
  campaigns: CampaignService;
  lists: CampaignLists;
  stats: Pick<StatsService, 'ofCampaign' | 'countRecent'>;
  /** The data of visits that an account does not store. */
  notKept: (userId: number) => Omitted[];
  baseUrl: () => string;
}

/** The campaigns endpoints (contract, "Campaigns"). */
export function campaignRoutes({ campaigns, lists, stats, notKept, baseUrl }: Options): Route[] {
  const contextOf = ({ user }: Account): PresentContext => ({
    timezone: user.timezone,
    baseUrl: baseUrl(),
    username: user.kind === 'team' ? `team-${user.id}` : user.username,
  });

  /**
   * Campaigns as the caller may see them: people who see only their own records get no numbers of others' links
   * (T-43).
   */
  async function seen<Row extends CampaignRow>({ ownOnly, person }: Caller, rows: readonly Row[]) {
    if (!ownOnly) return rows.map((row) => ({ row, clicksOf: () => lists.countClicks(row.id) }));
    const ids = rows.map(({ id }) => id);
    const metrics = await lists.ownMetrics(ids, person.user.id);
    return rows.map((row) => {
      const { urlcount, clicks } = metrics.get(row.id) ?? { urlcount: 0, clicks: 0 };
      return { row: { ...row, urlcount }, clicksOf: async () => clicks };
    });
  }

  async function seenRow(caller: Caller, row: CampaignRow): Promise<CampaignRow> {
    const [known] = await seen(caller, [row]);
    return known?.row ?? row;
  }

  /**
   * Throws 403 for people who see only their own records and publish a list that shows what others added (T-43). A
   * list that is already public stays so, whatever else they change.
   */
  async function checkPublishing(caller: Caller, id: number): Promise<void> {
    const row = campaigns.get(id, caller);
    if (!caller.ownOnly || row.public === 1) return;
    if (await lists.hasOthers(id, caller.person.user.id)) throw othersShown();
  }

  /** A campaign as lists show it. */
  async function shown({
    caller,
    id,
    editInfoOf,
  }: Pick<Call<typeof updateCampaign>, 'caller' | 'id' | 'editInfoOf'>) {
    const row = await seenRow(caller, campaigns.get(id, caller));
    return { ...presentCampaign(row, contextOf(caller)), ...editInfoOf(row) };
  }

  return [
    route(listCampaigns, async ({ caller, query, editInfoOf }) => {
      if (query.figures === '1') await stats.countRecent();
      const page = await campaigns.list(caller, query.q, listPage(caller, query));
      const rows = (await seen(caller, page.rows)).map(async ({ row, clicksOf }) => ({
        ...presentCampaign(row, contextOf(caller)),
        ...(query.figures === '1' && { clicks: await clicksOf() }),
        ...editInfoOf(row),
      }));
      return pageReply(
        'campaigns',
        { total: page.total, rows: await Promise.all(rows) },
        query,
        (row) => row,
      );
    }),
    route(getCampaign, async ({ caller, id, query, editInfoOf }) => {
      await stats.countRecent();
      const [known] = await seen(caller, [campaigns.get(id, caller)]);
      if (!known) throw notFound('Campaign');
      const { row, clicksOf } = known;
      const links = await lists.listLinks(id, query.order, listPage(caller, query));
      const context = contextOf(caller);
      return {
        data: {
          campaign: {
            ...presentCampaign(row, context),
            ...(query.figures === '1' && { clicks: await clicksOf() }),
            ...editInfoOf(row),
          },
          ...pageCounts(row.urlcount, query),
          links: links.map((link) => presentCampaignLink(link, context)),
        },
      };
    }),
    route(addCampaign, ({ caller, body }) => presentReply(campaigns.add(caller, body), contextOf(caller))),
    route(
      updateCampaign,
      async ({ caller, id, body }) => {
        if (body.public === true) await checkPublishing(caller, id);
        return presentReply(await seenRow(caller, campaigns.update(id, caller, body)), contextOf(caller));
      },
      shown,
    ),
    route(deleteCampaign, async ({ caller, id }) => {
      await campaigns.remove(id, caller);
      return { message: 'The campaign was deleted. Its links were kept.' };
    }),
    route(restoreCampaign, async ({ caller, id }) =>
      presentReply(await seenRow(caller, await campaigns.restore(id, caller)), contextOf(caller)),
    ),
    route(
      orderCampaign,
      async ({ caller, id, body }) => {
        await campaigns.order(id, caller, body.links);
        return { message: 'The order was saved.' };
      },
      shown,
    ),
    route(assignCampaign, async ({ caller, ids, body }) => {
      await campaigns.assign(ids.campaignid, ids.linkid, caller, body.weight);
      return { message: 'The link was assigned to the campaign.' };
    }),
    route(unassignCampaign, async ({ caller, ids }) => {
      await campaigns.unassign(ids.campaignid, ids.linkid, caller);
      return { message: 'The link was removed from the campaign.' };
    }),
    route(getCampaignStats, async ({ caller, id, query }) => {
      campaigns.get(id, caller);
      const { id: userId, timezone } = caller.user;
      const own = caller.ownOnly ? { userId, member: caller.person.user.id } : undefined;
      const statistics = await stats.ofCampaign(id, statsRequest(query, caller.user), own);
      return { data: { ...presentStats(statistics, timezone), notkept: notKept(userId) } };
    }),
  ];
}

function othersShown(): Refusal {
  return forbidden(
    'role_too_low',
    'The public list would show links of others. Ask an editor of the team to make it public.',
  );
}
