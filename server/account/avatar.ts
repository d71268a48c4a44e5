import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where drawn avatars live; the name is reserved among aliases. */
export const avatarPath = /^\/avatar\/([1-9]\d{0,14})\.svg$/;

interface Options {
  /** Name to draw for a user id; undefined when there is none. */
  nameOf: (userId: number) => string | undefined;
}

/** Draws the initials of an account that has no picture, so that `avatar` is always an address (decisions, 10). */
export function avatars({ nameOf }: Options) {
  return (request: IncomingMessage, response: ServerResponse, userId: number): void => {
    const name = nameOf(userId);
    if (name === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = Buffer.from(draw(name, userId));
    response.writeHead(200, {
      'Content-Type': 'image/svg+xml',
      'Content-Length': body.length,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, max-age=300',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
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
