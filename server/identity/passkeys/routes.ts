import {
  addPasskey,
  deletePasskey,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  signInWithPasskey,
  updatePasskey,
} from '../../contract/passkeys.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { deviceOf } from '../sessions/device.ts';
import { presentSignedIn } from '../sessions/presenter.ts';
import type { PasskeyRow } from './queries.ts';
import { relyingPartyOf } from './relying-party.ts';
import type { PasskeyService } from './service.ts';

interface Options {
  passkeys: PasskeyService;
  baseUrl: () => string;
}

/** Adding, naming and removing one's passkeys, and signing in with one. */
export function passkeyRoutes({ passkeys, baseUrl }: Options): Route[] {
  const partyOf = ({ request }: { request: { headers: { origin?: string | undefined } } }) =>
    relyingPartyOf(request.headers.origin, baseUrl());
  return [
    route(listPasskeys, ({ caller, query }) => {
      const page = passkeys.list(caller.user.id, query.limit, offsetOf(query));
      return pageReply('passkeys', page, query, (row) => presentPasskey(row, caller.user.timezone));
    }),
    route(passkeyOptions, async (call) => {
      const { caller, body } = call;
      checkFull(caller);
      const given = { password: body.current_password, code: body.code };
      return { data: { options: await passkeys.begin(caller, given, partyOf(call), actorOf(call)) } };
    }),
    route(addPasskey, async (call) => {
      const { caller, body, request } = call;
      const name = body.name ?? deviceOf(request.headers['user-agent']);
      const id = await passkeys.add(
        caller,
        { credential: body.credential, name, party: partyOf(call) },
        actorOf(call),
      );
      return { message: 'The passkey was added. You can sign in with it now.', data: { id, name } };
    }),
    route(
      updatePasskey,
      ({ id, caller, body }) => {
        passkeys.rename(id, caller.user.id, body.name);
        return { message: 'The passkey was renamed.' };
      },
      ({ id, caller }) => presentPasskey(passkeys.get(id, caller.user.id), caller.user.timezone),
    ),
    route(deletePasskey, (call) => {
      passkeys.remove(call.id, call.caller.user.id, actorOf(call));
      return { message: 'The passkey was removed. It no longer signs you in.' };
    }),
    route(passkeySignInOptions, (call) => ({ data: { options: passkeys.signInOptions(partyOf(call)) } })),
    route(signInWithPasskey, async (call) => {
      const { body, request, address } = call;
      const device = body.device || deviceOf(request.headers['user-agent']);
      const signedIn = await passkeys.signIn({
        party: partyOf(call),
        credential: body.credential,
        device,
        address,
      });
      return { message: 'Signed in.', data: presentSignedIn(signedIn, baseUrl()) };
    }),
  ];
}

function presentPasskey(row: PasskeyRow, timezone: string) {
  return {
    id: row.id,
    name: row.name,
    host: row.rp_id,
    synced: row.backed_up === 1,
    created: presentTimestamp(row.created_at, timezone),
    lastused: presentOptional(row.last_used_at, timezone),
    version: row.version,
  };
}
