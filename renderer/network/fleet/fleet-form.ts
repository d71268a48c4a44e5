import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type { ShownFleet, testFleet } from '../../../server/contract/fleet.ts';

/** Form state of the NATS server connection. Secrets are never read back: empty keeps the stored one. */
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

/** The form state of the stored settings. */
export function fieldsOfFleet({ enabled, url, signin, user, edgeuser }: ShownFleet): FleetFields {
  return {
    enabled,
    url: url ?? '',
    // For a new setup, user and password is the most likely method.
    signin: url === null ? 'user' : signin,
    user: user ?? '',
    edgeuser: edgeuser ?? '',
    ...{ password: '', token: '', credentials: '', edgepassword: '', signingkey: '', operatorkey: '' },
  };
}

/** The request: only the credentials of the selected method. */
export function engineChangeOf(fields: FleetFields): BodyInput<typeof testFleet> {
  const { signin, password, token, credentials, edgepassword, signingkey, operatorkey } = fields;
  // Signing keys require a credentials file, and edges with their own credentials do not share a user.
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
