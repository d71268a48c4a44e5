import {
  getCampaignStatsPage,
  getLinkStatsPage,
  type StatsPage,
  updateCampaignStatsPage,
  updateLinkStatsPage,
} from '../../contract/stats-pages.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { roleTooLow } from '../../platform/http/member-check.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { domainUrl } from '../../visits/redirects/short-url.ts';
import type { StatsPageSubject } from './queries.ts';
import type { StatsPageService, SubjectWithPage } from './service.ts';

interface Options {
  pages: StatsPageService;
  audit: Pick<AuditLog, 'note'>;
  baseUrl: () => string;
}

type Update = Call<typeof updateLinkStatsPage> | Call<typeof updateCampaignStatsPage>;

/** The endpoints of public statistics pages. */
export function statsPageRoutes({ pages, audit, baseUrl }: Options): Route[] {
  const shown = ({ host, page }: SubjectWithPage): StatsPage => ({
    on: page?.enabled === 1,
    url: page ? `${domainUrl(host, baseUrl())}/stats/${page.token}` : null,
    password: page !== undefined && page.password_hash !== null,
    referrers: page?.referrers === 1,
  });

  async function update(subject: StatsPageSubject, call: Update) {
    const row = await pages.update(subject, call.caller, call.body, ({ name, page }) =>
      audit.note(actorOf(call), 'statspage.updated', { title: name, shared: page?.enabled === 1 }),
    );
    const data = shown(row);
    return { message: `The public statistics page is ${data.on ? 'on' : 'off'}.`, data };
  }

  return [
    route(getLinkStatsPage, ({ caller, id }) => ({ data: shown(pages.get({ kind: 'link', id }, caller)) })),
    route(updateLinkStatsPage, (call) => update({ kind: 'link', id: call.id }, call)),
    route(getCampaignStatsPage, ({ caller, id }) => ({
      data: shown(pages.get({ kind: 'campaign', id }, caller)),
    })),
    route(updateCampaignStatsPage, (call) => {
      // It shows the metrics of all that is in the campaign, those of others' links included (T-43).
      if (call.caller.ownOnly && call.body.on === true) throw roleTooLow();
      return update({ kind: 'campaign', id: call.id }, call);
    }),
  ];
}
