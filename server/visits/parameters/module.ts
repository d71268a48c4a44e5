import { getParameters, updateParameters } from '../../contract/parameters.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { Core } from '../../platform/core.ts';
import { route } from '../../platform/http/serve.ts';
import type { Module } from '../../platform/module.ts';
import { placedNames, presentNames, readNames } from './own-parameters.ts';
import { parameterQueries } from './queries.ts';

/** Sets up the query parameters that accounts count. */
export function parameterModule({ databases, transactions, audit }: Core): Module {
  const queries = parameterQueries(databases.main);
  return {
    routes: [
      route(getParameters, ({ caller }) => ({
        data: { parameters: presentNames(readNames(queries.find(caller.user.id))) },
      })),
      route(updateParameters, (call) => {
        const { caller, body } = call;
        const parameters = transactions.atomically(() => {
          const names = placedNames(readNames(queries.find(caller.user.id)), body.parameters);
          queries.update(caller.user.id, names.length === 0 ? null : JSON.stringify(names));
          const chosen = presentNames(names);
          audit.note(actorOf(call), 'parameters.updated', { names: chosen.map(({ name }) => name) });
          return chosen;
        });
        return { message: 'Your choice is saved and applies to new visits.', data: { parameters } };
      }),
    ],
  };
}
