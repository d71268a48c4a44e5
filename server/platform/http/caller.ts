import type { IncomingMessage } from 'node:http';
import type { Role } from '../../contract/roles.ts';
import type { Refusal } from '../errors.ts';

/** An authenticated request: the account that acts, the person who asks, and the key that speaks for them. */
export interface Caller extends Account, Membership {
  key: KeyRow;
  /** The person with their personal account; the account that acts is another one where it is a team's. */
  person: Account;
  /** Why no account can act: the request names one that the person has no part in. */
  refusal?: Refusal | undefined;
}

/** What a person is in an account. */
interface Membership {
  role: Role;
  /** Whether they see only what they created. */
  ownOnly: boolean;
}

/** An account, with the member who works in it where somebody does. */
export type MemberOf = Account & Partial<Pick<Caller, 'ownOnly' | 'person'>>;

/** The caller as the person alone, whatever account the request names. */
export function asPerson(caller: Caller): Caller {
  return { ...caller, ...caller.person, role: 'owner', ownOnly: false };
}

export type Authenticate = (request: IncomingMessage, address: string) => Caller | undefined;

/** Who a request speaks for, with what that account may do now. */
export interface Account {
  user: UserRow;
  plan: Plan;
}

/** What can be changed of an account. */
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
  /** Whether a sign-in from a new device or network is told by mail. */
  signin_email: 0 | 1;
  /** Whether trouble with domains and their certificates is. */
  domains_email: 0 | 1;
  media: 0 | 1;
  public: 0 | 1;
  defaulttype: string;
  default_domain_id: number | null;
  /** Name of the file of the picture (account/avatar.ts); null for drawn initials. */
  avatar: string | null;
  /** JSON: the keys of the contract's Address that were set. */
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
  /** JSON: the query parameters that its statistics count; null for none. */
  parameters: string | null;
  has_2fa: 0 | 1;
}

/** What a plan allows on links, QR codes and UTM templates (contract, "Account": permissions). */
export interface Permissions {
  alias: boolean;
  password: boolean;
  qrlogo: boolean;
  qrframes: boolean;
  utmtemplates: boolean;
}

/** A switch of a plan; `count` -1 is unlimited and absent where a count makes no sense. */
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
  /** The team in which it acts; null for the person's own account. */
  account_id: number | null;
  kind: KeyKind;
  name: string;
  prefix: string;
  scopes: string;
  ratelimit: number | null;
  created_at: number;
  /** When the person of a session proved who they are; null where that is when it began. */
  signed_in_at: number | null;
  expires_at: number | null;
  last_used_at: number | null;
  last_address: string | null;
  version: number;
}
