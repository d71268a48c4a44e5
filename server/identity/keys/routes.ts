import { addKey, deleteKey, listKeys, regenerateKey, updateKey } from '../../contract/keys.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { ApiKeyService } from './api-key-service.ts';
import { presentKey } from './presenter.ts';

interface Options {
  apiKeys: ApiKeyService;
  now: () => number;
  /** ISO code of the country of an address; '' where it is not known. */
  countryOf: (address: string) => string;
}

/** API keys: rotation of the primary one (contract) and custom ones (decision 0009). */
export function keyRoutes({ apiKeys, now, countryOf }: Options): Route[] {
  return [
    route(regenerateKey, (call) => ({
      message: 'This is your new API key. It is not shown again; the old one no longer works.',
      data: { api_key: apiKeys.rotate(call.caller, call.body.force, actorOf(call)) },
    })),
    route(listKeys, ({ caller, query }) => {
      const page = apiKeys.list(caller, query.limit, offsetOf(query));
      return pageReply('keys', page, query, (key) =>
        presentKey(key, caller.key.id, caller.user.timezone, now(), countryOf),
      );
    }),
    route(addKey, (call) => {
      const { id, secret } = apiKeys.add(call.caller, call.body, actorOf(call));
      return {
        message: 'This is your new API key. It is not shown again.',
        data: { id, name: call.body.name, api_key: secret },
      };
    }),
    route(
      updateKey,
      (call) => {
        apiKeys.update(call.id, call.caller, call.body, actorOf(call));
        return { message: 'The key was updated.' };
      },
      ({ caller, id }) =>
        presentKey(apiKeys.get(id, caller), caller.key.id, caller.user.timezone, now(), countryOf),
    ),
    route(deleteKey, (call) => {
      apiKeys.remove(call.id, call.caller, actorOf(call));
      return { message: 'The key was revoked.' };
    }),
  ];
}
