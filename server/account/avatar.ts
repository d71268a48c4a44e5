import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Picture } from './queries.ts';

/** Where pictures of accounts live, drawn or set; the name is reserved among aliases. */
export const avatarPath = /^\/avatar\/([1-9]\d{0,14})(?:\.svg|-([0-9a-f]{16}))$/;

/** The path of an account's picture: of the one that was set under this name, or of the drawn initials. */
export function avatarPathOf(userId: number, name: string | null): string {
  return name === null ? `/avatar/${userId}.svg` : `/avatar/${userId}-${name}`;
}

interface Options {
  /** Name to draw for a user id; undefined when there is none. */
  nameOf: (userId: number) => string | undefined;
  /** The picture that was set. */
  findPicture: (userId: number, name: string) => Picture | undefined;
}

/** Serves the picture of an account, or draws its initials, so that `avatar` is always an address (decisions, 10). */
export function avatars({ nameOf, findPicture }: Options) {
  return (request: IncomingMessage, response: ServerResponse, userId: number, name?: string): void => {
    const answer = name === undefined ? drawn(userId) : set(userId, name);
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': answer.type,
      'Content-Length': answer.body.length,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': answer.cache,
    });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  };

  function drawn(userId: number) {
    const text = nameOf(userId);
    if (text === undefined) return undefined;
    return {
      type: 'image/svg+xml',
      body: Buffer.from(draw(text, userId)),
      cache: 'private, max-age=300',
    };
  }

  function set(userId: number, name: string) {
    const picture = findPicture(userId, name);
    // Every picture has a name of its own, so what is behind one never changes.
    return picture && { ...picture, cache: 'private, max-age=31536000, immutable' };
  }
}

function draw(name: string, userId: number): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word === undefined ? '' : ([...word][0] ?? '')))
    .join('')
    .toUpperCase();
  // The golden angle keeps the hues of neighbouring ids far apart.
  const hue = Math.round((userId * 137.508) % 360);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500"><rect width="100" height="100" fill="hsl(${hue} 45% 38%)"/><text x="50" y="50" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="40" font-weight="600" fill="#fff">${initials}</text></svg>`;
}
