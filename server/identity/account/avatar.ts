import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Picture } from './queries.ts';

/**
 * The path of account pictures, which is a reserved alias. The URL of an uploaded picture has a random part, and that
 * of generated initials contains the initials: neither reveals which accounts exist. URLs of older versions
 * (`/avatar/7.svg`) show the same drawing for every number.
 */
const avatarPath =
  /^\/avatar\/(?:initials-((?:[A-Za-z0-9]|%[0-9A-F]{2}){0,24})-(\d{1,3})\.svg|([1-9]\d{0,14})-([0-9a-f]{16})|[1-9]\d{0,14}\.svg)$/;

/** The data for an account's picture. */
export interface Pictured {
  id: number;
  /** The name to draw where no picture is set. */
  name: string;
  username: string;
  /** The random name of the picture that was set; null for drawn initials. */
  avatar: string | null;
}

/** The path of an account's picture: of the one that was set, or of the drawn initials. */
export function avatarPathOf({ id, name, username, avatar }: Pictured): string {
  if (avatar !== null) return `/avatar/${id}-${avatar}`;
  // The golden angle keeps the hues of neighboring ids far apart.
  const hue = Math.round((id * 137.508) % 360);
  return `/avatar/initials-${encodeURIComponent(initialsOf(name || username))}-${hue}.svg`;
}

interface Options {
  /** The picture that was set. */
  findPicture: (userId: number, name: string) => Picture | undefined;
}

/**
 * Serves the picture of an account, or draws its initials, so that `avatar` is always an address (decisions, 10). What
 * it returns answers false for other paths.
 */
export function avatars({ findPicture }: Options) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = avatarPath.exec(request.url ?? '');
    if (!path) return false;
    const [, initials = '', hue = '0', userId, name] = path;
    const answer = userId === undefined ? drawn(initials, Number(hue)) : set(Number(userId), name as string);
    if (!answer) {
      response.writeHead(404).end();
      return true;
    }
    response.writeHead(200, {
      'Content-Type': answer.type,
      'Content-Length': answer.body.length,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': answer.cache,
    });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
    return true;
  };

  function drawn(initials: string, hue: number) {
    return {
      type: 'image/svg+xml',
      body: Buffer.from(draw(lettersOf(decoded(initials)), hue % 360)),
      cache: 'private, max-age=300',
    };
  }

  function set(userId: number, name: string) {
    const picture = findPicture(userId, name);
    // Every picture has a unique name, so its content never changes.
    return picture && { ...picture, cache: 'private, max-age=31536000, immutable' };
  }
}

/** The first letters of the first and last word, or of the only word. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return lettersOf(letters.join('').toUpperCase());
}

/** At most two letters or digits: nothing that could be markup, whatever an address has. */
function lettersOf(text: string): string {
  return [...text.matchAll(/[\p{L}\p{N}]/gu)].slice(0, 2).join('');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not one of our URLs: drawn without letters.
    return '';
  }
}

function draw(initials: string, hue: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500"><rect width="100" height="100" fill="hsl(${hue} 45% 38%)"/><text x="50" y="50" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="40" font-weight="600" fill="#fff">${initials}</text></svg>`;
}
