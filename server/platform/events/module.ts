import type { Core } from '../core.ts';
import { creators } from '../database/authorship.ts';
import type { Module } from '../module.ts';
import type { CountedLink } from './counted-link.ts';
import { type LiveOptions, live } from './live.ts';
import { presenceBoard } from './presence.ts';
import { presenceRoutes } from './presence-routes.ts';
import { eventRoutes } from './routes.ts';

interface Options extends Pick<LiveOptions, 'clicksOf' | 'totalsOf'> {
  /** Publishes counted clicks. */
  onCounted: (listener: (links: readonly CountedLink[]) => void) => void;
}

/** Sets up the live stream of changes and clicks. */
export function liveModule(core: Core, { onCounted, ...clicks }: Options): Module & { closeAll: () => void } {
  const updates = live({
    ...clicks,
    take: core.turns.take,
    monotonic: core.clock.monotonic,
    onError: (err) => core.log.error({ err }, 'a live update failed'),
  });
  core.changes.subscribe(updates.changed);
  core.revokedKeys.subscribe(updates.closeFor);
  core.endedMemberships.subscribe(updates.closeForMember);
  onCounted(updates.clicksCounted);
  const board = presenceBoard({
    monotonic: core.clock.monotonic,
    take: core.turns.take,
    onChanged: ({ accountId, resource, id }, people) =>
      updates.tell(accountId, { type: 'presence', resource, id, people }),
  });
  core.revokedKeys.subscribe(board.leaveAll);
  core.endedMemberships.subscribe(board.leaveMember);
  const sweep = setInterval(board.sweep, 2_000);
  sweep.unref();
  const { creatorOf } = creators(core.databases.main);
  return {
    routes: [
      ...eventRoutes({ live: updates, take: core.turns.take }),
      ...presenceRoutes({ board, creatorOf }),
    ],
    closeAll: updates.closeAll,
    close: () => clearInterval(sweep),
  };
}
