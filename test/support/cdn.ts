import { request } from 'node:http';
import type { Fetcher, Probed } from '../../server/platform/fetcher/fetcher.ts';

/** Addresses of Cloudflare, which all hosts behind it share. */
export const cdnAddress = '104.16.1.2';

/** The response of a host's own server to a path. */
type Origin = (path: string) => Probed;

export interface Cdn {
  /** For `startApp`. */
  fetcher: Pick<Fetcher, 'probe'>;
  /** The target of each host: a port of 127.0.0.1, or a function that responds. Others do not respond. */
  origins: Map<string, number | Origin>;
  /** Requests so far, as `ADDRESS URL`. */
  asked: string[];
}

/** Replaces the network in front of servers: requests for a host are forwarded to its server. */
export function startCdn(): Cdn {
  const origins: Cdn['origins'] = new Map();
  const asked: string[] = [];
  return {
    origins,
    asked,
    fetcher: {
      async probe(text, { address, maxBytes }) {
        asked.push(`${address} ${text}`);
        const url = new URL(text);
        const origin = origins.get(url.hostname);
        if (origin === undefined) return undefined;
        if (typeof origin === 'function') return origin(url.pathname);
        const { status, body } = await passOn(origin, url.hostname, url.pathname);
        return { status, body: body.slice(0, maxBytes) };
      },
    },
  };
}

/** A plain request to a server under the name of a host. */
export function passOn(port: number, host: string, path: string, method = 'GET'): Promise<Probed> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { host }, agent: false },
      (reply) => {
        let body = '';
        reply.setEncoding('utf8');
        reply.on('data', (text) => {
          body += text;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject).end();
  });
}
