import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type { ShownFleet, testFleet } from '../../../server/contract/fleet.ts';

/** How the engine is reached, as people fill it in. Secrets are never read back: empty keeps what is saved. */
export interface FleetFields {
  enabled: boolean;
  url: string;
  signin: ShownFleet['signin'];
  user: string;
  password: string;
  token: string;
  credentials: string;
  edgeuser: string;
  edgepassword: string;
  signingkey: string;
  operatorkey: string;
}

/** The form of a fleet as it is saved. */
export function fieldsOfFleet({ enabled, url, signin, user, edgeuser }: ShownFleet): FleetFields {
  return {
    enabled,
    url: url ?? '',
    // Who has entered nothing yet has a user and a password, most probably.
    signin: url === null ? 'user' : signin,
    user: user ?? '',
    edgeuser: edgeuser ?? '',
    ...{ password: '', token: '', credentials: '', edgepassword: '', signingkey: '', operatorkey: '' },
  };
}

/** What is sent of it: the chosen way to sign in, and nothing of the others. */
export function engineChangeOf(fields: FleetFields): BodyInput<typeof testFleet> {
  const { signin, password, token, credentials, edgepassword, signingkey, operatorkey } = fields;
  // Keys go with a credentials file, and edges that have them share no user.
  const hasKeys = signin === 'credentials';
  const secret = (way: FleetFields['signin'], text: string) =>
    signin === way ? text.trim() || undefined : null;
  return {
    url: fields.url.trim() || null,
    user: signin === 'user' ? fields.user.trim() || null : null,
    password: secret('user', password),
    token: secret('token', token),
    credentials: secret('credentials', credentials),
    edgeuser: hasKeys ? null : fields.edgeuser.trim() || null,
    edgepassword: hasKeys ? null : edgepassword || undefined,
    signingkey: hasKeys ? signingkey.trim() || undefined : null,
    operatorkey: hasKeys ? operatorkey.trim() || undefined : null,
  };
}
