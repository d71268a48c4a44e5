import { notePresence } from '../../contract/presence.ts';
import { notFound } from '../errors.ts';
import type { CreatorOf } from '../http/member-check.ts';
import { checkGrants } from '../http/scopes.ts';
import { type Route, route } from '../http/serve.ts';
import type { PresenceBoard } from './presence.ts';

interface Options {
  board: PresenceBoard;
  creatorOf: CreatorOf;
}

/** Who is viewing a record (decision 0071). Callers who may not see the record do not even learn that it exists. */
export function presenceRoutes({ board, creatorOf }: Options): Route[] {
  return [
    route(notePresence, ({ caller, body, sees }) => {
      const { resource, id, editing = false, left = false } = body;
      const { user, person, key } = caller;
      checkGrants(key.scopes, `${resource}:read`);
      if (creatorOf(resource, id, user.id) === undefined || !sees(resource, id)) throw notFound('Record');
      const place = { accountId: user.id, resource, id };
      if (left) board.leave(place, key.id);
      else {
        const name = person.user.name || person.user.username;
        board.note(place, { keyId: key.id, personId: person.user.id, name, editing });
      }
      return { data: { resource, id, people: board.peopleAt(place) } };
    }),
  ];
}
