import { exportClicks, exportLinkClicks } from '../../contract/click-export.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import type { Omitted } from '../../contract/privacy.ts';
import {
  getLinkStats,
  getStats,
  getTopGroups,
  listClicks,
  listLinkClicks,
  type statsLinks,
} from '../../contract/stats.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listedMember, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { sendFile } from '../../platform/http/sent-file.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { ClickExports } from './click-export.ts';
import { presentClick, presentStats, presentTopGroups, presentTopLink } from './presenter.ts';
import type { LinkChoice } from './queries.ts';
import type { StatsService } from './service.ts';
import { statsRequest } from './stats-request.ts';

interface Options {
  stats: StatsService;
  exports: ClickExports;
  /** Throws 404 for a link that does not exist, is in the trash, or belongs to another account. */
  checkLink: (id: number, caller: Caller) => void;
  /** Id of a domain by id or host; null is the instance's own. Throws 400 `unknown_domain`. */
  domainOf: (reference: string, userId: number) => number | null;
  /** What is not kept of visits to what an account has. */
  notKept: (userId: number) => Omitted[];
  baseUrl: () => string;
}

/** The statistics endpoints. */
export function statsRoutes({ stats, exports, checkLink, domainOf, notKept, baseUrl }: Options): Route[] {
  /** The links that a query names. Throws 400 for a domain that is not the account's. */
  function choiceOf(
    caller: Caller,
    {
      member,
      campaign,
      channel,
      below,
      domain,
    }: Pick<QueryOf<typeof getStats>, 'member' | keyof typeof statsLinks>,
  ): LinkChoice {
    return {
      member: listedMember(caller, member),
      campaign,
      channel,
      below: below === '1',
      domain: domain === undefined ? undefined : (domainOf(domain, caller.user.id) ?? 0),
    };
  }

  return [
    route(getStats, async ({ caller, query }) => {
      const { id: userId, timezone } = caller.user;
      const overview = await stats.ofUser(userId, choiceOf(caller, query), statsRequest(query, caller.user));
      return {
        data: {
          ...presentStats(overview, timezone),
          notkept: notKept(userId),
          links: overview.links,
          activelinks: overview.activeLinks,
          toplinks: overview.topLinks.map((row) => presentTopLink(row, baseUrl())),
        },
      };
    }),
    route(getTopGroups, async ({ caller, query, sees }) => {
      const { id: userId, timezone } = caller.user;
      const { period, from, to, bots } = query;
      const request = { period, from, to, withBots: bots === '1', timezone };
      const top = await stats.topGroups(userId, listedMember(caller, query.member), request);
      const { campaigns, channels, domains, ...data } = presentTopGroups(top, timezone, baseUrl());
      return {
        data: {
          ...data,
          // A member's own link may be in someone else's group, whose name the member may not see.
          campaigns: campaigns.filter(({ id }) => sees('campaigns', id)),
          channels: channels.filter(({ id }) => sees('channels', id)),
          domains: domains.filter(({ id }) => id === null || sees('domains', id)),
        },
      };
    }),
    route(getLinkStats, async ({ caller, id, query }) => {
      checkLink(id, caller);
      const { timezone } = caller.user;
      const statistics = await stats.ofLink(id, statsRequest(query, caller.user));
      return { data: { ...presentStats(statistics, timezone), notkept: notKept(caller.user.id) } };
    }),
    route(exportClicks, async ({ caller, query, context, isStillAllowed }) => {
      const subject = { userId: caller.user.id, ...choiceOf(caller, query) };
      if (query.inline === '1') return { data: await exports.part(caller, subject, query) };
      sendFile(context, exports.open(caller, subject, query, isStillAllowed));
      return undefined;
    }),
    route(exportLinkClicks, async ({ caller, id, query, context, isStillAllowed }) => {
      checkLink(id, caller);
      const subject = { linkId: id };
      if (query.inline === '1') return { data: await exports.part(caller, subject, query) };
      sendFile(context, exports.open(caller, subject, query, isStillAllowed));
      return undefined;
    }),
    route(listLinkClicks, async ({ caller, id, query }) => {
      checkLink(id, caller);
      const page = await stats.clicks({ linkId: id }, query.bots === '1', query.limit, offsetOf(query));
      return pageReply('clicks', page, query, (row) => presentClick(row, caller.user.timezone, baseUrl()));
    }),
    route(listClicks, async ({ caller, query }) => {
      const subject = { userId: caller.user.id, member: listedMember(caller, query.member) };
      const page = await stats.clicks(subject, query.bots === '1', query.limit, offsetOf(query));
      return pageReply('clicks', page, query, (row) => presentClick(row, caller.user.timezone, baseUrl()));
    }),
  ];
}
