import { createHash } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';

/** A NATS key pair: an operator, account or user, identified by the first letters of its text form. */
export interface EngineKey {
  /** The public key. */
  id: string;
  /** The seed, which signs: a secret. */
  seed: string;
  pair: KeyPair;
}

/** Subjects that a user may send to and hear. */
export interface Rights {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** What NATS knows of an account: the part that is read or changed here; the rest is preserved. */
export interface AccountClaims {
  sub: string;
  iss: string;
  iat: number;
  name?: string;
  nats: { signing_keys?: unknown[]; revocations?: Record<string, number> } & Record<string, unknown>;
}

/** All that an account may have: the engine's own configuration has the limits of its disks. */
const noLimits = {
  ...{ subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
};
const noStreamLimits = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
/** No JWT is ever issued later, so a user revoked until then is revoked permanently, whatever the clocks. */
const forEver = 253_402_300_799;

const letters = { operator: 'SO', account: 'SA', user: 'SU' } as const;
type Kind = keyof typeof letters;

function keyOf(pair: KeyPair): EngineKey {
  return { id: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString('utf8'), pair };
}

/** A new key pair. */
export async function newEngineKey(kind: Kind): Promise<EngineKey> {
  const { createAccount, createOperator, createUser } = await import('@nats-io/nkeys');
  return keyOf({ operator: createOperator, account: createAccount, user: createUser }[kind]());
}

/** The key pair of a seed; undefined if the text is not a seed, or one of another kind. */
export async function readEngineKey(text: string, kind: Kind): Promise<EngineKey | undefined> {
  const { fromSeed } = await import('@nats-io/nkeys');
  const seed = text.trim();
  if (!seed.startsWith(letters[kind])) return undefined;
  try {
    return keyOf(fromSeed(new TextEncoder().encode(seed)));
  } catch {
    // The right letters, and a checksum that does not fit: it was cut or changed.
    return undefined;
  }
}

/** A JWT in the form that the engine takes (its second). */
function sign(claims: { sub: string; iat: number } & Record<string, unknown>, signer: EngineKey): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = { ...claims, iss: signer.id };
  const jti = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ ...body, jti })}`;
  return `${text}.${Buffer.from(signer.pair.sign(new TextEncoder().encode(text))).toString('base64url')}`;
}

/** The claims of a JWT, without verification. Undefined if it is not a JWT. */
function claimsOf(jwt: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
  } catch {
    // Not even JSON.
    return undefined;
  }
}

/** A NATS operator, with its system account, through which account updates are published. */
export function operatorJwt(operator: EngineKey, system: EngineKey, at: number): string {
  const nats = { type: 'operator', version: 2, system_account: system.id };
  return sign({ sub: operator.id, iat: seconds(at), name: 'Waypost', nats }, operator);
}

interface NewAccount {
  name: string;
  account: EngineKey;
  /** Keys that may sign users of it. */
  signingKeys: readonly EngineKey[];
  keepsStreams: boolean;
  at: number;
}

/** An account of an engine. */
export function accountJwt({ account, name, ...given }: NewAccount, operator: EngineKey): string {
  const nats = {
    ...{ type: 'account', version: 2, default_permissions: { pub: {}, sub: {} } },
    limits: { ...noLimits, ...(given.keepsStreams && noStreamLimits) },
    signing_keys: given.signingKeys.map(({ id }) => id),
  };
  return sign({ sub: account.id, iat: seconds(given.at), name, nats }, operator);
}

/** An account as NATS has it. Throws if the text is invalid. */
export function readAccount(jwt: string): AccountClaims {
  const claims = claimsOf(jwt);
  if (typeof claims?.sub !== 'string' || typeof claims.iat !== 'number' || typeof claims.nats !== 'object') {
    throw new Error('the engine has no such account');
  }
  return claims as unknown as AccountClaims;
}

/** The same account without these users, whatever it said of them; newer than it was, so that every engine takes it. */
export function withoutUsers(
  claims: AccountClaims,
  users: readonly string[],
  operator: EngineKey,
  at: number,
): string {
  const revocations = {
    ...claims.nats.revocations,
    ...Object.fromEntries(users.map((id) => [id, forEver])),
  };
  const { sub, name, nats } = claims;
  const iat = Math.max(seconds(at), claims.iat + 1);
  return sign({ sub, iat, ...(name !== undefined && { name }), nats: { ...nats, revocations } }, operator);
}

interface NewUser {
  name: string;
  /** The public key of the user. */
  id: string;
  account: string;
  /** Undefined for one who may do everything in the account. */
  rights?: Rights | undefined;
  at: number;
}

/** A user of an account, signed by the account or one of its signing keys. */
export function userJwt({ account, at, id, name, rights }: NewUser, signer: EngineKey): string {
  const nats = {
    ...{ type: 'user', version: 2, subs: -1, data: -1, payload: -1, issuer_account: account },
    ...(rights && { pub: { allow: rights.publish }, sub: { allow: rights.subscribe } }),
  };
  return sign({ sub: id, iat: seconds(at), name, nats }, signer);
}

/** The text of a credentials file. */
export function credentialsOf(jwt: string, seed: string): string {
  const block = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
  return `${block('NATS USER JWT', jwt)}\n${block('USER NKEY SEED', seed)}`;
}

/** The account of the user of a credentials file; undefined when it has none. */
export function accountOf(credentials: string): string | undefined {
  const [, jwt = ''] = /BEGIN NATS USER JWT-+\s+(\S+)/.exec(credentials) ?? [];
  const claims = claimsOf(jwt);
  const nats = claims?.nats as { issuer_account?: unknown } | undefined;
  const account = nats?.issuer_account ?? claims?.iss;
  return typeof account === 'string' ? account : undefined;
}

const seconds = (at: number): number => Math.floor(at / 1000);
