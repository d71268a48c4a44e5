import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import { busy, forbidden, signInRefused } from '../../platform/errors.ts';
import type { Feed } from '../../platform/events/feed.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SessionService, SignedIn } from '../sessions/service.ts';
import type { UserService } from '../users/service.ts';

/** For how long a code can be redeemed: the browser goes straight back to the app. Milliseconds. */
const codeLifetime = 60_000;
/** Codes that wait, of one person and in all. */
const mostOfPerson = 5;
const mostInAll = 1000;

interface Options {
  sessions: Pick<SessionService, 'open'>;
  users: Pick<UserService, 'find'>;
  audit: AuditLog;
  /** Called for a session that just ended: sessions that it approved end as well. */
  revoked: Pick<Feed<number>, 'subscribe'>;
  randomBytes: (size: number) => Buffer;
  monotonic: () => number;
}

/** What a person approved in the browser. */
interface Approval {
  userId: number;
  /** The session that approved it, and when its person proved who they are. */
  keyId: number;
  signedInAt: number;
  challenge: string;
  redirectUri: string;
  device: string;
  endsAt: number;
}

interface Redemption {
  code: string;
  verifier: string;
  redirectUri: string;
}

/**
 * Signing in the desktop app through the system's browser (RFC 8252, decision 0068): the signed-in person approves it
 * and gets a code, which the app redeems for its own session with a verifier that only it knows (RFC 7636).
 */
export function browserSignIn(options: Options) {
  const { sessions, users, audit, randomBytes, monotonic } = options;
  /** By the hash of their code, oldest first. A restart forgets them, and the app starts again. */
  const approvals = new Map<string, Approval>();

  options.revoked.subscribe((keyId) => {
    for (const [hash, approval] of approvals) if (approval.keyId === keyId) approvals.delete(hash);
  });

  function makeRoomFor(userId: number): void {
    const now = monotonic();
    for (const [hash, { endsAt }] of approvals) {
      if (endsAt > now) break;
      approvals.delete(hash);
    }
    const own = [...approvals].filter(([, approval]) => approval.userId === userId);
    const oldest = own.length < mostOfPerson ? undefined : own[0];
    if (oldest) approvals.delete(oldest[0]);
    if (approvals.size >= mostInAll) throw busy();
  }

  return {
    /** Returns a code. Throws 403 for a caller that is not a session. */
    approve(
      { person, key }: Caller,
      wish: Pick<Approval, 'challenge' | 'redirectUri' | 'device'>,
      actor: Actor,
    ): string {
      if (key.kind !== 'session') throw notSignedIn();
      makeRoomFor(person.user.id);
      const code = randomBytes(32).toString('base64url');
      audit.note(actor, 'session.approved', { device: wish.device });
      const { challenge, redirectUri, device } = wish;
      approvals.set(hashOf(code), {
        ...{ userId: person.user.id, keyId: key.id, signedInAt: key.signed_in_at ?? key.created_at },
        ...{ challenge, redirectUri, device },
        endsAt: monotonic() + codeLifetime,
      });
      return code;
    },

    /** Opens the session that was approved. A code is good for one try, right or wrong. Throws 401. */
    redeem({ code, verifier, redirectUri }: Redemption, address: string): SignedIn {
      const hash = hashOf(code);
      const approval = approvals.get(hash);
      approvals.delete(hash);
      if (!approval || approval.endsAt <= monotonic()) throw expired();
      const isAsked = isSame(hashOf(verifier), approval.challenge) && redirectUri === approval.redirectUri;
      // Between approving and redeeming the account may have been switched off.
      if (!isAsked || !users.find(approval.userId)) throw expired();
      const { userId, device, signedInAt } = approval;
      return sessions.open(userId, device, address, { by: 'browser' }, signedInAt);
    },
  };
}

export type BrowserSignIn = ReturnType<typeof browserSignIn>;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function notSignedIn() {
  return forbidden('session_required', 'An API key cannot allow this. Sign in in the browser and try again.');
}

function expired() {
  return signInRefused(
    'sign_in_expired',
    'This sign-in has expired or was used already. Start again in the app.',
  );
}
