import type { IncomingMessage } from 'node:http';
import type { Role } from '../../contract/roles.ts';
import type { Refusal } from '../errors.ts';

/** An authenticated request: the account it acts on, the person, and their key. */
export interface Caller extends Account, Membership {
  key: KeyRow;
  /** The person with their personal account; the account acted on may be a team's. */
  person: Account;
  /** Why there is no account to act on: the request selects one that the person does not belong to. */
  refusal?: Refusal | undefined;
}

/** A person's role in an account. */
interface Membership {
  role: Role;
  /** Whether they see only what they created. */
  ownOnly: boolean;
}

/** An account, with the member who works in it, if any. */
export type MemberOf = Account & Partial<Pick<Caller, 'ownOnly' | 'person'>>;

/** The caller as a person only, ignoring the account that the request selects. */
export function asPerson(caller: Caller): Caller {
  return { ...caller, ...caller.person, role: 'owner', ownOnly: false };
}

export type Authenticate = (request: IncomingMessage, address: string) => Caller | undefined;

/** The account and person of a request, with the account's current permissions. */
export interface Account {
  user: UserRow;
  plan: Plan;
}

/** Fields of an account that can be updated. */
export interface UserRecord {
  email: string;
  username: string;
  name: string;
  password_hash: string;
  admin: 0 | 1;
  active: 0 | 1;
  verified: 0 | 1;
  plan_id: number;
  plan_expires_at: number | null;
  timezone: string;
  /** Tag of the language of the app (contract/languages.ts), empty for the browser's. */
  language: string;
  perpage: number;
  newsletter: 0 | 1;
  brokenlinks_email: 0 | 1;
  /** Whether sign-ins from a new device or network are emailed. */
  signin_email: 0 | 1;
  /** Whether problems with domains and their certificates are emailed. */
  domains_email: 0 | 1;
  media: 0 | 1;
  public: 0 | 1;
  defaulttype: string;
  default_domain_id: number | null;
  /** File name of the picture (account/avatar.ts); null for generated initials. */
  avatar: string | null;
  /** JSON: the keys of the contract's Address that are set. */
  address: string;
}

export interface UserRow extends UserRecord {
  id: number;
  kind: 'person' | 'team';
  /** When a team was deleted. */
  trashed_at: number | null;
  registered_at: number;
  version: number;
  default_host: string | null;
  /** JSON: the query parameters counted in its statistics; null for none. */
  parameters: string | null;
  has_2fa: 0 | 1;
}

/** What a plan allows on links, QR codes and UTM templates (contract, "Account": permissions). */
interface Permissions {
  alias: boolean;
  password: boolean;
  qrlogo: boolean;
  qrframes: boolean;
  utmtemplates: boolean;
}

/** A feature of a plan; `count` -1 is unlimited and absent where a count makes no sense. */
interface Feature {
  enabled: boolean;
  count?: number | undefined;
}

export interface Plan {
  id: number;
  version: number;
  name: string;
  free: boolean;
  permissions: Permissions;
  /** -1 is unlimited. */
  limits: { links: number; clicks: number; retention: number; files: number; megabytes: number };
  features: Record<string, Feature>;
}

export type KeyKind = 'primary' | 'custom' | 'session';

export interface KeyRow {
  id: number;
  user_id: number;
  /** The team acted on; null for the person's own account. */
  account_id: number | null;
  kind: KeyKind;
  name: string;
  prefix: string;
  scopes: string;
  ratelimit: number | null;
  created_at: number;
  /** When the person last authenticated in this session; null for when it began. */
  signed_in_at: number | null;
  expires_at: number | null;
  last_used_at: number | null;
  last_address: string | null;
  version: number;
}
