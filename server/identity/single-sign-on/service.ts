import { createHmac } from 'node:crypto';
import { username as usernameRule } from '../../contract/sessions.ts';
import { type Actor, stranger } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { forbidden, notFound, rejected, signInRefused } from '../../platform/errors.ts';
import type { Caller, UserRow } from '../../platform/http/caller.ts';
import { cut, oneLine } from '../../platform/text/cut.ts';
import { asciiLowerCase, isSameAddress } from '../../platform/text/mail-address.ts';
import type { Challenges } from '../passkeys/challenges.ts';
import { checkCeiling } from '../plans/ceilings.ts';
import type { Proof } from '../sessions/proof.ts';
import type { SessionService, SignedIn } from '../sessions/service.ts';
import type { UserService } from '../users/service.ts';
import type { ApplyClaims } from './claims.ts';
import type { Claims, Journey, Provider, ProviderClient } from './provider.ts';
import type { IdentityQueries } from './queries.ts';
import type { SettingsOfProvider } from './settings.ts';

/** User names that are tried for a new account before giving up. */
const mostNames = 100;

interface Options {
  settings: SettingsOfProvider;
  identities: IdentityQueries;
  client: ProviderClient;
  challenges: Challenges;
  /** A random secret, new after each start. */
  secret: Buffer;
  users: UserService;
  sessions: Pick<SessionService, 'open'>;
  prove: Proof;
  /** Gives a person the plan and the teams that the provider says. */
  applyClaims: ApplyClaims;
  /** Throws 400 if the person could not sign in any more. */
  checkNotLast: (userId: number) => void;
  transactions: Transactions;
  audit: AuditLog;
  now: () => number;
}

/** What the page returns: the query of its URL, and the secret that only it knows. */
interface Return {
  /** The page's origin. */
  origin: string;
  answer: string;
  secret: string;
}

/** Where the provider sends the browser back to. */
export const redirectUriAt = (origin: string): string => `${origin}/admin/signed-in`;

/**
 * Single sign-on with OpenID Connect (decision 0067). The page keeps a secret that is bound to the state, so a
 * response works only in the page that requested it; nonce and PKCE verifier are derived from the state.
 */
export function singleSignOn(options: Options) {
  const { identities, client, challenges, users, sessions, transactions, audit, now } = options;
  const { settings, provider, enabledProvider } = options.settings;

  function journey(origin: string, state: string): Journey {
    const derived = (what: string) =>
      createHmac('sha256', options.secret).update(`${what} of ${state}`).digest('base64url');
    return {
      redirectUri: redirectUriAt(origin),
      state,
      nonce: derived('nonce'),
      verifier: derived('verifier'),
    };
  }

  async function start(origin: string, secret: string, whose: unknown[]): Promise<string> {
    const chosen = enabledProvider();
    const state = challenges.make(purposeOf(origin, secret, chosen, whose));
    return client.addressFor(chosen, journey(origin, state));
  }

  async function finish(
    { origin, answer, secret }: Return,
    whose: unknown[],
  ): Promise<{ claims: Claims; use: () => void }> {
    const chosen = enabledProvider();
    const state = new URLSearchParams(answer).get('state') ?? '';
    if (!challenges.isOpen(state, purposeOf(origin, secret, chosen, whose))) throw expired();
    const claims = await client.redeem(chosen, answer, journey(origin, state));
    return {
      claims,
      use() {
        if (!challenges.use(state)) throw expired();
      },
    };
  }

  /** Throws 403 if the provider's data is not sufficient: another mail domain, or an unverified address. */
  function checkDomain({ email, isVerified }: Claims): void {
    const { domains } = settings();
    if (domains.length === 0) return;
    const domain = asciiLowerCase(email?.split('@').at(-1) ?? '');
    if (isVerified && domains.includes(domain)) return;
    throw forbidden(
      'sso_domain',
      'This instance accepts other email domains only. Use an account of your organization, or ask an administrator.',
    );
  }

  /** The account for a new identity. Throws 403 if there is none. */
  function admit(claims: Claims, create: (() => number) | undefined): number {
    const { linkbymail } = settings();
    const email = claims.isVerified ? claims.email : undefined;
    const owner = email === undefined ? undefined : users.findByLogin(email);
    if (owner && email !== undefined) {
      if (!linkbymail || !isLinkable(owner, email)) throw mustLink();
      return owner.id;
    }
    if (!create) throw noAccount();
    return create();
  }

  /**
   * The provider alone must not bypass a second factor, nor give access to an account whose user name looks like an
   * address. Nor may a person who entered a colleague's address in their own account receive the colleague's sign-in.
   */
  function isLinkable(user: UserRow, email: string): boolean {
    const isTheirs = user.verified === 1 && isSameAddress(user.email, email);
    return isTheirs && user.active === 1 && user.has_2fa === 0;
  }

  /** Creates an account without a password; undefined if disabled, or if the provider sends too little. */
  async function preparedAccount(claims: Claims): Promise<(() => number) | undefined> {
    const { email, name = '' } = claims;
    if (!settings().create || email === undefined || !claims.isVerified) return undefined;
    const username = freeName(claims, email);
    return users.prepare({ email, username, name: oneLine(name, 120) }, 'single sign-on');
  }

  /** A free user name, similar to the provider's. */
  function freeName({ username }: Claims, email: string): string {
    const wished = [username, email.split('@')[0]].map((text) =>
      (text ?? '').replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 50),
    );
    const base = wished.find((text) => usernameRule.safeParse(text).success) ?? 'member';
    for (let count = 1; count <= mostNames; count += 1) {
      const name = count === 1 ? base : `${base}-${count}`;
      if (!users.findByLogin(name)) return name;
    }
    throw rejected('username_taken', 'username', 'No free user name was found. Ask an administrator.');
  }

  return {
    /** Whether the provider confirms that it knows the client. Throws 400 with a message about the problem. */
    test: (origin: string): Promise<boolean> => client.test(provider(), redirectUriAt(origin)),

    /** Where the page has to go to sign in. */
    startSignIn: (origin: string, secret: string): Promise<string> => start(origin, secret, ['sign in']),

    /** Opens a session. Throws 401, or 403 when the person has no account here. */
    async signIn(back: Return, device: string, address: string): Promise<SignedIn> {
      const { claims, use } = await finish(back, ['sign in']);
      checkDomain(claims);
      const known = identities.find(claims.issuer, claims.subject);
      const create = known ? undefined : await preparedAccount(claims);
      return transactions.atomically(() => {
        use();
        const userId = known?.user_id ?? admit(claims, create);
        if (!users.find(userId)) {
          audit.note(stranger(address), 'session.refused', { device }, userId);
          throw noAccount();
        }
        const identity = known?.id ?? link(claims, userId, stranger(address));
        identities.noteUse(identity, labelOf(claims), now());
        options.applyClaims(userId, claims, settings(), stranger(address));
        return sessions.open(userId, device, address, { by: 'sso' });
      });
    },

    identities: identities.list,

    /** Where the page has to go to link the account. Throws 400 for a wrong password. */
    async startLinking(
      caller: Caller,
      given: Parameters<Proof>[1],
      way: { origin: string; secret: string },
      actor: Actor,
    ) {
      await options.prove(caller, given, actor);
      return start(way.origin, way.secret, linkBy(caller));
    },

    /** Links the account of the caller with who signed in at the provider. Returns the identity's id. */
    async link(caller: Caller, back: Return, actor: Actor): Promise<number> {
      const { claims, use } = await finish(back, linkBy(caller));
      checkDomain(claims);
      return transactions.atomically(() => {
        use();
        return link(claims, caller.user.id, actor);
      });
    },

    /** Throws 404. */
    unlink(id: number, userId: number, actor: Actor): void {
      transactions.atomically(() => {
        const identity = identities.findOwn(id, userId);
        if (!identity) throw notFound('Identity');
        options.checkNotLast(userId);
        identities.remove(id, userId);
        audit.note(actor, 'identity.deleted', { identity: identity.label, issuer: identity.issuer });
      });
    },
  };

  /** Throws 400 when the identity is linked already. */
  function link(claims: Claims, userId: number, actor: Actor): number {
    const { issuer, subject } = claims;
    checkCeiling('identities', identities.count(userId));
    const label = labelOf(claims);
    const id = identities.insert({ userId, issuer, subject, label, createdAt: now() });
    if (id === undefined) {
      throw rejected('identity_taken', 'answer', 'This identity is already linked to an account.');
    }
    audit.note(actor, 'identity.added', { identity: label, issuer }, userId);
    return id;
  }
}

export type SingleSignOn = ReturnType<typeof singleSignOn>;

/** Only the session that began it can link, as long as the password is the one that it was begun with. */
function linkBy({ user, key }: Caller): unknown[] {
  return ['link', user.id, key.id, user.password_hash];
}

function purposeOf(origin: string, secret: string, { issuer, clientId }: Provider, whose: unknown[]): string {
  return JSON.stringify(['single sign-on', origin, secret, issuer, clientId, ...whose]);
}

function labelOf({ email, username, name, subject }: Claims): string {
  return cut(email ?? username ?? name ?? subject, 300);
}

function noAccount() {
  return forbidden(
    'sso_no_account',
    'You have no account on this instance. Ask an administrator for an invitation, or link your account while signed in.',
  );
}

function mustLink() {
  return forbidden(
    'sso_must_link',
    'An account with your address exists. Sign in to it another way, and link it under Settings, Security.',
  );
}

function expired() {
  return signInRefused(
    'sso_expired',
    'This sign-in has expired, or was begun in another window. Start again.',
  );
}
