import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a link stays unlocked for a visitor (decision 0021). */
const rememberedMs = 600_000;

interface Unlocked {
  /** A part of the cookie's name. */
  id: number | string;
  passwordHash: string;
}

export interface UnlockCookies {
  /** The value of a Set-Cookie header that unlocks the path of this link. */
  issue(link: Unlocked, path: string, at: number, secure: boolean): string;
  /** Whether a Cookie header unlocks the link. A new password voids the cookies of the old one. */
  isValid(link: Unlocked, cookies: string, at: number): boolean;
}

/** Signs and checks the cookies of password links. `secret` is random and need not outlive the process. */
export function unlockCookies(secret: Buffer): UnlockCookies {
  function sign(link: Unlocked, expiresAt: number): string {
    return createHmac('sha256', secret)
      .update(`${link.id}\n${expiresAt}\n${link.passwordHash}`)
      .digest('base64url');
  }

  return {
    issue(link, path, at, secure) {
      const expiresAt = at + rememberedMs;
      const value = `${expiresAt}.${sign(link, expiresAt)}`;
      const attributes = `Path=${path}; Max-Age=${rememberedMs / 1000}; HttpOnly; SameSite=Lax`;
      return `waypost-pass-${link.id}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
    },
    isValid(link, cookies, at) {
      const name = `waypost-pass-${link.id}=`;
      return cookies.split(';').some((cookie) => {
        const text = cookie.trim();
        if (!text.startsWith(name)) return false;
        const match = /^(\d{1,15})\.([\w-]{43})$/.exec(text.slice(name.length));
        if (!match?.[1] || !match[2]) return false;
        const expiresAt = Number(match[1]);
        if (expiresAt <= at || expiresAt > at + rememberedMs) return false;
        return timingSafeEqual(Buffer.from(match[2]), Buffer.from(sign(link, expiresAt)));
      });
    },
  };
}
