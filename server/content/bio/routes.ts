import {
  addBio,
  type BioStats,
  deleteBio,
  deleteBioMessage,
  getBio,
  getBioStats,
  listBioMessages,
  listBios,
  previewBio,
  restoreBio,
  updateBio,
} from '../../contract/bio.ts';
import type { Omitted } from '../../contract/privacy.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { listPage, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { languagesOf } from '../../platform/http/reader-languages.ts';
import { checkGrants } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { referredBy, type StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { blockTitle } from './block-title.ts';
import { type BioSurroundings, presentBio, presentDetails, presentMessage } from './presenter.ts';
import type { BioQueries, BioRow } from './queries.ts';
import type { BioService } from './service.ts';
import type { BioStatistics, BioStatisticsService } from './stats.ts';

interface Options {
  bios: BioService;
  queries: Pick<BioQueries, 'blockClicks' | 'links' | 'domainRoots'>;
  stats: BioStatisticsService;
  /** The data of visits that an account does not store. */
  notKept: (userId: number) => Omitted[];
  baseUrl: () => string;
}

/** The endpoints of bio pages (decision 0018). */
export function bioRoutes({ bios, queries, stats, notKept, baseUrl }: Options): Route[] {
  const contextOf = ({ user }: Account) => ({ timezone: user.timezone, baseUrl: baseUrl() });

  function surroundingsOf(row: BioRow): BioSurroundings {
    const { links } = referredBy(JSON.parse(row.blocks) as StoredBlock[]);
    return {
      blockClicks: queries.blockClicks(row.id),
      links: queries.links(links, row.user_id),
      domainRoots: queries.domainRoots(row.id),
    };
  }

  return [
    route(listBios, async ({ caller, query, editInfoOf }) => {
      const page = await bios.list(caller, query.q, listPage(caller, query));
      return pageReply('bios', page, query, (row) => ({
        ...presentBio(row, contextOf(caller)),
        ...editInfoOf(row),
      }));
    }),
    route(getBio, ({ caller, id, editInfoOf }) => {
      const row = bios.get(id, caller);
      return { data: { ...presentDetails(row, surroundingsOf(row), contextOf(caller)), ...editInfoOf(row) } };
    }),
    route(addBio, async ({ caller, body }) => {
      checkFiles(caller, body);
      const row = await bios.add(caller, body);
      return { id: row.id, link: shortUrl(row, baseUrl()), message: 'The bio page was created.' };
    }),
    route(
      updateBio,
      async ({ caller, id, body, editInfoOf }) => {
        checkFiles(caller, body);
        const row = await bios.update(id, caller, body);
        const data = { ...presentDetails(row, surroundingsOf(row), contextOf(caller)), ...editInfoOf(row) };
        return { message: 'The bio page was updated.', data };
      },
      ({ caller, id, editInfoOf }) => {
        const row = bios.get(id, caller);
        return { ...presentDetails(row, surroundingsOf(row), contextOf(caller)), ...editInfoOf(row) };
      },
    ),
    route(deleteBio, async ({ caller, id }) => {
      await bios.remove(id, caller);
      return { message: 'The bio page was deleted.' };
    }),
    route(restoreBio, async ({ caller, id }) => {
      const row = await bios.restore(id, caller);
      return { id, link: shortUrl(row, baseUrl()), message: 'The bio page was restored.' };
    }),
    route(previewBio, async ({ caller, body, request }) => {
      checkFiles(caller, body);
      return { data: { html: await bios.preview(caller, body, languagesOf({ caller, request })) } };
    }),
    route(listBioMessages, async ({ caller, id, query }) => {
      const page = await bios.listMessages(id, caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('messages', page, query, (row) => presentMessage(row, caller.user.timezone));
    }),
    route(deleteBioMessage, ({ caller, ids }) => {
      bios.removeMessage(ids.bioid, ids.messageid, caller);
      return { message: 'The message was deleted.' };
    }),
    route(getBioStats, async ({ caller, id, query }) => {
      const row = bios.get(id, caller);
      const { timezone } = caller.user;
      const found = presentStats(await stats.of(id, query, timezone), row, timezone);
      return { data: { ...found, notkept: notKept(caller.user.id) } };
    }),
  ];
}

/** Throws 403 for a key that could read names and URLs of files from a page, without permission for files. */
function checkFiles(caller: Caller, { blocks }: { blocks?: unknown }): void {
  const isFile = (block: unknown) =>
    typeof block === 'object' && block !== null && 'type' in block && block.type === 'file';
  if (Array.isArray(blocks) && blocks.some(isFile)) checkGrants(caller.key.scopes, 'files:read');
}

function presentStats(found: BioStatistics, row: BioRow, timezone: string): BioStats {
  const { period, views, clicks, previous, series } = found;
  const blocks = (JSON.parse(row.blocks) as StoredBlock[]).flatMap((block) => {
    const count = found.blocks.get(block.id) ?? 0;
    return count === 0 ? [] : { id: block.id, type: block.type, title: blockTitle(block), clicks: count };
  });
  return {
    from: presentTimestamp(period.from, timezone),
    to: presentTimestamp(period.to - 1000, timezone),
    interval: period.interval,
    views,
    clicks,
    previous,
    series: period.intervals.map(({ from }, index) => ({
      at: presentTimestamp(from, timezone),
      views: series[index]?.views ?? 0,
      clicks: series[index]?.clicks ?? 0,
    })),
    blocks: blocks.sort((one, other) => other.clicks - one.clicks),
  };
}
