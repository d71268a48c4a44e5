import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../../platform/database/connect.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { fitImage, type Picture } from '../../platform/images/images.ts';

export type PictureKind = 'logo' | 'favicon';

/** Contract, "Limits": bytes of the remote picture, and the box that ours fits into. */
const limits = {
  logo: { maxBytes: 500_000, box: { width: 1024, height: 512 } },
  favicon: { maxBytes: 100_000, box: { width: 256, height: 256 } },
} as const;

/** Where the pictures of domains are served, on every host; `img` is reserved among aliases. */
const domainPicturePath = /^\/img\/domain\/([\w-]{22})\.(?:png|jpg)$/;

/** The path of a picture, by its name with its extension. */
export function picturePath(name: string | null): string | null {
  return name === null ? null : `/img/domain/${name}`;
}

interface Options {
  database: Connection;
  fetcher: Fetcher;
  randomBytes: (size: number) => Buffer;
}

/** Logos and favicons of domains: fetched once, re-encoded, stored in the database. */
export function domainPictures({ database, fetcher, randomBytes }: Options) {
  const put = database.prepare<[number, PictureKind, string, Picture['type'], Buffer]>(
    `INSERT INTO domain_pictures (domain_id, kind, token, type, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (domain_id, kind) DO UPDATE SET token = excluded.token, type = excluded.type, body = excluded.body`,
  );
  const remove = database.prepare<[number, PictureKind]>(
    'DELETE FROM domain_pictures WHERE domain_id = ? AND kind = ?',
  );
  const byToken = database.prepare<[string], Picture>(
    'SELECT type, body FROM domain_pictures WHERE token = ?',
  );
  const faviconOf = database.prepare<[string], Picture>(
    `SELECT type, body FROM domain_pictures JOIN domains ON domains.id = domain_id
     WHERE host = ? AND active = 1 AND kind = 'favicon'`,
  );
  return {
    /** Gets a picture of any user's choice. Throws 400 with the field at fault. */
    async fetch(kind: PictureKind, url: string, party: string): Promise<Picture> {
      const { maxBytes, box } = limits[kind];
      const { body } = await fetcher.get(url, { maxBytes, field: kind, party });
      return fitImage(body, box, { field: kind, party });
    },
    /** Stores a picture under a new address, or takes it away. */
    store(domainId: number, kind: PictureKind, picture: Picture | null): void {
      if (!picture) remove.run(domainId, kind);
      else put.run(domainId, kind, randomBytes(16).toString('base64url'), picture.type, picture.body);
    },
    /** Answers the address of a picture, and `/favicon.ico` on a branded domain that has one; false for all else. */
    serve(request: IncomingMessage, response: ServerResponse, host: string): boolean {
      const url = request.url ?? '';
      const token = url.startsWith('/img/') ? domainPicturePath.exec(url)?.[1] : undefined;
      const picture =
        token !== undefined ? byToken.get(token) : url === '/favicon.ico' ? faviconOf.get(host) : undefined;
      if (!picture || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
      response.writeHead(200, {
        'Content-Type': picture.type,
        'Content-Length': picture.body.length,
        // The address of a picture changes with it; that of the favicon does not.
        'Cache-Control': token === undefined ? 'public, max-age=3600' : 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      });
      response.end(request.method === 'HEAD' ? undefined : picture.body);
      return true;
    },
  };
}

export type DomainPictures = ReturnType<typeof domainPictures>;
