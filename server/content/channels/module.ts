import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { LinkModule } from '../links/module.ts';
import { channelLists } from './queries.ts';
import { channelRoutes } from './routes.ts';
import { channelService, type FindItem } from './service.ts';

interface Options {
  links: Pick<LinkModule, 'channels' | 'service'>;
  /** The item types of channels other than links. */
  items: Record<'bio' | 'qr', FindItem>;
  trash: Trash;
}

/** Wires channels. */
export function channelModule(core: Core, { links, items, trash }: Options): Module {
  const { baseUrl, changes, transactions } = core;
  const channels = channelService({
    queries: links.channels,
    lists: channelLists(core.reader),
    links: links.service,
    items,
    baseUrl,
    trash,
    now: core.clock.now,
    transactions,
    changes,
  });
  return { routes: channelRoutes({ channels }) };
}
