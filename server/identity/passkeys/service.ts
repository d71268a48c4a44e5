import { createHmac } from 'node:crypto';
import type { NewCredential, UsedCredential } from '../../contract/passkeys.ts';
import { type Actor, stranger } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, rejected, signInRefused } from '../../platform/errors.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { checkCeiling } from '../plans/ceilings.ts';
import type { Proof } from '../sessions/proof.ts';
import type { SessionService, SignedIn } from '../sessions/service.ts';
import type { UserService } from '../users/service.ts';
import { type Challenges, challengeLifetime } from './challenges.ts';
import type { PasskeyQueries, PasskeyRow } from './queries.ts';
import type { RelyingParty } from './relying-party.ts';

interface Options {
  queries: PasskeyQueries;
  challenges: Challenges;
  users: Pick<UserService, 'find'>;
  sessions: Pick<SessionService, 'open'>;
  prove: Proof;
  /** Throws 400 if the person could not sign in any more. */
  checkNotLast: (userId: number) => void;
  transactions: Transactions;
  audit: AuditLog;
  now: () => number;
  /** A random secret, new after each start. */
  secret: Buffer;
}

interface SignIn {
  party: RelyingParty;
  credential: UsedCredential;
  device: string;
  address: string;
}

/** COSE: EdDSA, ES256 and RS256, the last one for Windows. The first is the one that is preferred. */
const algorithms = [-8, -7, -257];

/** Loaded with the first passkey: most starts of the server never need it. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Passkeys: discoverable WebAuthn credentials with user verification, so one is enough to sign in (decision 0065).
 * The checks are those of WebAuthn Level 3, sections 7.1 and 7.2.
 */
export function passkeyService(options: Options) {
  const { queries, challenges, users, sessions, prove, checkNotLast, transactions, audit, now } = options;

  /** Throws 404. */
  function get(id: number, userId: number): PasskeyRow {
    const passkey = queries.find(id, userId);
    if (!passkey) throw notFound('Passkey');
    return passkey;
  }

  return {
    list: queries.list,

    /** The options with which the browser creates a passkey. Throws 400 for a wrong password or too many passkeys. */
    async begin(caller: Caller, given: Parameters<Proof>[1], party: RelyingParty, actor: Actor) {
      const { user } = caller;
      checkCeiling('passkeys', queries.count(user.id));
      await prove(caller, given, actor);
      const own = queries.allOf(user.id);
      return {
        rp: { id: party.id, name: 'Waypost' },
        user: { id: handleOf(user.id, own), name: user.username, displayName: user.name || user.username },
        challenge: challenges.make(purposeOfAdding(caller, party)),
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        excludeCredentials: own.filter(({ rp_id }) => rp_id === party.id).map(describe),
        timeout: challengeLifetime,
        attestation: 'none' as const,
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true,
          userVerification: 'required' as const,
        },
      };
    },

    /** Adds the passkey that the browser created. Throws 400 `passkey_refused` or `passkey_exists`. */
    async add(
      caller: Caller,
      { credential, name, party }: { credential: NewCredential; name: string; party: RelyingParty },
      actor: Actor,
    ): Promise<number> {
      const { user } = caller;
      const made = await verifyNew(credential, party, purposeOfAdding(caller, party));
      return transactions.atomically(() => {
        if (!made || !challenges.use(made.challenge)) throw refusedToAdd();
        const own = queries.allOf(user.id);
        checkCeiling('passkeys', own.length);
        const userHandle = handleOf(user.id, own);
        const id = queries.insert({ ...made.row, userId: user.id, userHandle, name, createdAt: now() });
        if (id === undefined) {
          throw rejected('passkey_exists', 'credential', 'This passkey is already in use here.');
        }
        audit.note(actor, 'passkey.added', { passkey: name, host: party.id });
        return id;
      });
    },

    get,

    /** Throws 404. */
    rename(id: number, userId: number, name: string): void {
      transactions.atomically(() => {
        get(id, userId);
        queries.rename(id, userId, name);
      });
    },

    /** Throws 404. */
    remove(id: number, userId: number, actor: Actor): void {
      transactions.atomically(() => {
        const passkey = get(id, userId);
        checkNotLast(userId);
        queries.remove(id, userId);
        audit.note(actor, 'passkey.deleted', { passkey: passkey.name, host: passkey.rp_id });
      });
    },

    /** The options with which the browser signs in; they name no user, the authenticator knows whose passkey it is. */
    signInOptions: (party: RelyingParty) => ({
      rpId: party.id,
      challenge: challenges.make(purposeOfSignIn(party)),
      timeout: challengeLifetime,
      userVerification: 'required' as const,
    }),

    /** Opens a session. Throws 401 `invalid_passkey`, alike for all that can be wrong. */
    async signIn({ party, credential, device, address }: SignIn): Promise<SignedIn> {
      const passkey = queries.findByCredential(credential.id, party.id);
      const proof = passkey && (await verifyUse(credential, passkey, party));
      const account = passkey && users.find(passkey.user_id);
      if (!proof || !account) {
        const actor = stranger(address);
        if (passkey) audit.note(actor, 'session.refused', { device, passkey: passkey.name }, passkey.user_id);
        else audit.noteNothing(actor, 'session.refused', { device, passkey: '' });
        throw refusedToSignIn();
      }
      return transactions.atomically(() => {
        const use = { id: passkey.id, before: passkey.counter, at: now(), ...proof.row };
        // Of many answers to one challenge, and of many with one count, the first wins.
        if (!queries.noteUse(use) || !challenges.use(proof.challenge)) throw refusedToSignIn();
        return sessions.open(account.user.id, device, address, { passkey: passkey.name });
      });
    },
  };

  /**
   * What authenticators remember a person by, in base64url. All passkeys of a person carry the same one, or an
   * authenticator would take one person for several; it says nothing about them.
   */
  function handleOf(userId: number, [first]: PasskeyRow[]): string {
    // Adding the first one uses the same secret from start to end, as a challenge does not outlive it.
    const made = () => createHmac('sha256', options.secret).update(`handle of ${userId}`).digest('base64url');
    return first?.user_handle ?? made();
  }

  async function verifyNew(credential: NewCredential, party: RelyingParty, purpose: string) {
    const { verifyRegistrationResponse } = await webAuthn();
    const { transports = [], ...response } = credential.response;
    try {
      if (!(await isWithoutCertificates(response.attestationObject))) return undefined;
      const { registrationInfo } = await verifyRegistrationResponse({
        response: withoutAttachment({ ...credential, response }),
        expectedChallenge: (challenge) => challenges.isOpen(challenge, purpose),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        supportedAlgorithmIDs: algorithms,
      });
      if (!registrationInfo) return undefined;
      const { credential: made, credentialBackedUp } = registrationInfo;
      return {
        challenge: challengeIn(response.clientDataJSON),
        row: {
          credentialId: made.id,
          publicKey: Buffer.from(made.publicKey),
          counter: made.counter,
          rpId: party.id,
          transports: JSON.stringify(transports),
          backedUp: credentialBackedUp ? (1 as const) : (0 as const),
        },
      };
    } catch {
      // Whatever the error, an unverifiable response is rejected, and the reason would not help the sender.
      return undefined;
    }
  }

  async function verifyUse(credential: UsedCredential, passkey: PasskeyRow, party: RelyingParty) {
    // A discoverable credential says whose it is, and that has to agree with who it is stored for.
    if (credential.response.userHandle !== passkey.user_handle) return undefined;
    const { verifyAuthenticationResponse } = await webAuthn();
    const { response } = credential;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: withoutAttachment({
          ...credential,
          response: { ...response, userHandle: passkey.user_handle },
        }),
        expectedChallenge: (challenge) => challenges.isOpen(challenge, purposeOfSignIn(party)),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: {
          id: passkey.credential_id,
          publicKey: new Uint8Array(passkey.public_key),
          counter: passkey.counter,
        },
      });
      if (!verified) return undefined;
      const { newCounter, credentialBackedUp } = authenticationInfo;
      return {
        challenge: challengeIn(response.clientDataJSON),
        row: { counter: newCounter, backedUp: credentialBackedUp ? (1 as const) : (0 as const) },
      };
    } catch {
      return undefined;
    }
  }
}

export type PasskeyService = ReturnType<typeof passkeyService>;

/**
 * No attestation is requested. One with certificates is rejected before verification, because verifying fetches
 * revocation lists from URLs in those certificates (T-14).
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  if (format === 'none') return true;
  // Signed by the new key itself: some browsers pass it on unasked.
  return format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
}

/** Whether the authenticator is part of the machine decides nothing here. */
function withoutAttachment<Credential extends { authenticatorAttachment?: unknown }>({
  authenticatorAttachment: _,
  ...credential
}: Credential) {
  return credential;
}

/** Only what the key and session that began it can end, as long as the password is the one that it was begun with. */
function purposeOfAdding({ user, key }: Account & Pick<Caller, 'key'>, { origin }: RelyingParty): string {
  return JSON.stringify(['add', user.id, key.id, origin, user.password_hash]);
}

function purposeOfSignIn({ origin }: RelyingParty): string {
  return JSON.stringify(['sign in', origin]);
}

function challengeIn(clientDataJSON: string): string {
  // Already verified: it is JSON with one of our challenges.
  return (JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: string }).challenge;
}

function describe({ credential_id, transports }: PasskeyRow) {
  // Written by us.
  return { id: credential_id, type: 'public-key' as const, transports: JSON.parse(transports) as string[] };
}

function refusedToAdd() {
  return rejected('passkey_refused', 'credential', 'This passkey could not be verified. Start again.');
}

function refusedToSignIn() {
  return signInRefused(
    'invalid_passkey',
    'This passkey is not accepted here. Try another one, or sign in with your password.',
  );
}
