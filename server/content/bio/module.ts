import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import { fitImage } from '../../platform/images/images.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import { omittedNames } from '../../visits/clicks/omissions.ts';
import { bioVisitQueries } from '../../visits/redirects/bio-queries.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { FindItem } from '../channels/service.ts';
import { freeAlias } from '../links/aliases.ts';
import type { LinkModule } from '../links/module.ts';
import { pagePictures } from '../pictures/page-pictures.ts';
import { bioPreviews } from './previews.ts';
import { bioLists, bioQueries } from './queries.ts';
import { bioRoutes } from './routes.ts';
import { bioService } from './service.ts';
import { bioStatistics } from './stats.ts';

interface Options {
  identity: Pick<Identity, 'quota'>;
  links: Pick<LinkModule, 'aliases' | 'channels' | 'references'>;
  redirects: Pick<Redirects, 'omissions'>;
  trash: Trash;
}

export interface BioModule extends Module {
  /** A page as a channel shows it. */
  findItem: FindItem;
  /** Whether a page is an account's own. */
  isOwned: (id: number, userId: number) => boolean;
}

/** Edge of pictures in previews, in pixels: a phone's width, twice for fine screens. */
const previewEdge = 640;

/** Wires bio pages, all but the visits to them. */
export function bioModule(core: Core, { identity, links, redirects, trash }: Options): BioModule {
  const { baseUrl, changes, reader, transactions } = core;
  const { now } = core.clock;
  const database = core.databases.main;
  const queries = bioQueries(database);
  const pictures = pagePictures(core, identity.quota);
  const visited = bioVisitQueries(database);
  const bios = bioService({
    queries,
    lists: bioLists(reader),
    aliases: links.aliases,
    channels: links.channels,
    trash,
    references: links.references,
    pictures: pictures.service,
    previews: bioPreviews({
      now,
      findPictures: pictures.rows.findAll,
      shrink: ({ body }) =>
        fitImage(
          body,
          { width: previewEdge, height: previewEdge },
          { field: 'image', party: 'previews of bio pages' },
        ),
      findLinks: (userId, ids) => new Set(visited.links(userId, ids).keys()),
      findFiles: visited.files,
    }),
    freeAlias: freeAlias(core.random.integer),
    now,
    transactions,
    changes,
  });
  return {
    routes: bioRoutes({
      bios,
      queries,
      stats: bioStatistics({ reader, now }),
      notKept: (userId) => omittedNames(redirects.omissions(userId)),
      baseUrl,
    }),
    findItem(id, { user }) {
      const row = queries.find(id, user.id);
      if (!row) return undefined;
      const link = shortUrl(row, baseUrl());
      return { title: row.name, preview: row.title ?? row.name, link, createdAt: row.created_at };
    },
    isOwned: queries.isOwned,
  };
}
