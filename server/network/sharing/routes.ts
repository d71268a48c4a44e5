import { findNearby, getSharing } from '../../contract/sharing.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { Sharing } from './sharing.ts';

/** The endpoints of sharing on the network; switching it on is a setting like the others. */
export function sharingRoutes({ sharing }: { sharing: Sharing }): Route[] {
  return [
    route(getSharing, async () => {
      // After switching it, people want to see the result.
      await sharing.settled();
      return { data: sharing.state() };
    }),
    route(findNearby, async () => ({ data: await sharing.nearby() })),
  ];
}
