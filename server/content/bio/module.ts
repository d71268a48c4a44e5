import type { Database } from 'better-sqlite3';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Route } from '../../platform/http/serve.ts';
import { fitImage } from '../../platform/images/images.ts';
import type { Removals } from '../../platform/trash/service.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import { bioVisitQueries } from '../../visits/redirects/bio-queries.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { FindItem } from '../channels/service.ts';
import { randomAlias } from '../links/aliases.ts';
import type { LinkReferences } from '../links/references.ts';
import { pictureQueries } from '../pictures/queries.ts';
import { pictureService } from '../pictures/service.ts';
import { bioPreviews } from './previews.ts';
import { bioQueries } from './queries.ts';
import { bioRoutes } from './routes.ts';
import { bioService } from './service.ts';
import { bioStatistics } from './stats.ts';

interface Options {
  database: Database;
  reader: Reader;
  aliases: AliasQueries;
  channels: ChannelQueries;
  removals: Removals;
  references: LinkReferences;
  fetcher: Fetcher;
  quota: StorageQuota;
  transactions: Transactions;
  /** The public address of the instance. */
  baseUrl: () => string;
  now: () => number;
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  changes: Pick<Changes, 'publish'>;
}

export interface BioModules {
  routes: Route[];
  /** A page as a channel shows it. */
  findItem: FindItem;
  /** Whether a page is an account's own. */
  isOwned: (id: number, userId: number) => boolean;
}

/** Edge of pictures in previews, in pixels: a phone's width, twice for fine screens. */
const previewEdge = 640;

/** Wires bio pages, all but the visits to them. */
export function bioModules(options: Options): BioModules {
  const { database, references, baseUrl, now } = options;
  const queries = bioQueries(database);
  const pictureRows = pictureQueries(database);
  const visited = bioVisitQueries(database);
  const bios = bioService({
    queries,
    aliases: options.aliases,
    channels: options.channels,
    removals: options.removals,
    references,
    pictures: pictureService({
      queries: pictureRows,
      fetcher: options.fetcher,
      quota: options.quota,
      transactions: options.transactions,
      randomBytes: options.randomBytes,
    }),
    previews: bioPreviews({
      now,
      findPictures: pictureRows.findAll,
      shrink: ({ body }) => fitImage(body, { width: previewEdge, height: previewEdge }, 'image'),
      findLinks: (userId, ids) => new Set(visited.links(userId, ids).keys()),
      findFiles: visited.files,
    }),
    newAlias: (length) => randomAlias(options.randomInteger, length),
    now,
    transactions: options.transactions,
    changes: options.changes,
  });
  return {
    routes: bioRoutes({ bios, queries, stats: bioStatistics({ reader: options.reader, now }), baseUrl }),
    findItem(id, { user }) {
      const row = queries.find(id, user.id);
      if (!row) return undefined;
      const link = shortUrl(row, baseUrl());
      return { title: row.name, preview: row.title ?? row.name, link, createdAt: row.created_at };
    },
    isOwned: queries.isOwned,
  };
}
