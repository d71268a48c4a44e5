import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { LinkModule } from '../links/module.ts';
import { overlayLists, overlayQueries } from '../overlays/queries.ts';
import { overlayRoutes } from '../overlays/routes.ts';
import { overlayService } from '../overlays/service.ts';
import { pagePictures } from '../pictures/page-pictures.ts';
import { picturePreviews } from '../pictures/previews.ts';
import { pictureRoutes } from '../pictures/routes.ts';
import { splashLists, splashQueries } from '../splash/queries.ts';
import { splashRoutes } from '../splash/routes.ts';
import { splashService } from '../splash/service.ts';

interface Options {
  identity: Pick<Identity, 'quota'>;
  links: Pick<LinkModule, 'references'>;
  trash: Trash;
}

/** Sets up interstitials (overlays and splash pages) and picture uploads. */
export function interstitialModule(core: Core, { identity, links, trash }: Options): Module {
  const { changes, fetcher, reader, transactions } = core;
  const { now, monotonic } = core.clock;
  const database = core.databases.main;
  const pictures = pagePictures(core, identity.quota);
  const pages = {
    references: links.references,
    pictures: pictures.service,
    drawPicture: picturePreviews({ fetcher, findAll: pictures.rows.findAll, monotonic }),
    trash,
    now,
    transactions,
    changes,
  };
  const overlays = overlayService({
    queries: overlayQueries(database),
    lists: overlayLists(reader),
    ...pages,
  });
  const splash = splashService({ queries: splashQueries(database), lists: splashLists(reader), ...pages });
  return {
    routes: [
      ...overlayRoutes({ overlays }),
      ...splashRoutes({ splash }),
      ...pictureRoutes({ pictures: pages.pictures }),
    ],
  };
}
