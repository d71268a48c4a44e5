import { addEdge, deleteEdge, getFleet, listEdges, testFleet, updateFleet } from '../../contract/fleet.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import type { FleetService } from './service.ts';

/** The fleet, for administrators (decision 0080). */
export function fleetRoutes({ fleet }: { fleet: FleetService }): Route[] {
  return [
    route(getFleet, async ({ caller }) => ({ data: await fleet.show(presentedTo(caller)) })),
    route(updateFleet, async (call) => {
      await fleet.update(call.body, actorOf(call));
      return { message: 'The fleet settings were saved.', data: await fleet.show(presentedTo(call.caller)) };
    }),
    route(testFleet, async ({ body }) => {
      await fleet.test(body);
      return { message: 'The engine responds and meets the requirements of a fleet.' };
    }),
    route(listEdges, async ({ caller }) => ({
      data: { edges: await fleet.edges(presentedTo(caller)) },
    })),
    route(addEdge, (call) => fleet.addEdge(call.body, actorOf(call))),
    route(deleteEdge, (call) => {
      fleet.revoke(call.id, actorOf(call));
      return { message: 'Edge revoked.' };
    }),
  ];
}

/** Writes times in the time zone of who asks. */
function presentedTo({ user }: { user: { timezone: string } }): (at: number) => string {
  return (at) => presentTimestamp(at, user.timezone);
}
