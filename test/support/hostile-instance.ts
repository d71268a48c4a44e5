import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type StartOptions, startApp, type TestApp } from './app.ts';
import { hostileText } from './hostile-texts.ts';
import { visitAllPages } from './public-pages.ts';

/** How the instance lies: scripts in texts and URLs, values of the wrong types, or floods of rows. */
type Lie = 'none' | 'texts' | 'kinds' | 'rows';

/** A server with everything that an instance has, and lies about all of it. */
export interface HostileInstance {
  origin: string;
  /** An API key that it takes. */
  key: string;
  lie(how: Lie): void;
  /** The Authorization headers that it got. */
  keys: Set<string>;
  close(): Promise<void>;
}

/** Fields that become URLs of links and pictures. */
const addresses =
  /^(shorturl|longurl|url|link|links?to|avatar|favicon|image|logo|picture|preview|download|domain|rotator|list|href|src|website|address|redirect404|redirectroot|og_image|icon)$/i;
/** Fields that are displayed as text. */
const texts =
  /^(name|title|note|description|label|text|message|username|email|alias|custom|slug|host|short|browser|os|device|country|city|language|referrer|referer|useragent|agent|user_agent|plan|tag|caption|question|answer|action|subject|why|condition|software|version)$/i;
const rowsOfAFlood = 1_000;

/** Starts a real instance with content on every page, and a proxy that rewrites its replies. */
export async function hostileInstance(options: StartOptions = {}): Promise<HostileInstance> {
  const text = hostileText();
  const app: TestApp = await startApp({ ratelimit: 1_000_000, ...options });
  await visitAllPages(app, 'h', (longest) => text(Math.min(longest, 60)));
  const keys = new Set<string>();
  let how: Lie = 'none';

  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    if (authorization) keys.add(authorization);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isStream = request.url?.startsWith('/api/events');
    if (isStream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `event: changed\ndata: ${JSON.stringify(lied({ type: 'changed', resource: text(40), ids: ['x'] }))}\n\n`,
      );
      return;
    }
    const answer = await fetch(app.origin + request.url, {
      method: request.method ?? 'GET',
      headers: {
        ...(authorization && { authorization }),
        ...(chunks.length > 0 && { 'content-type': 'application/json' }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      redirect: 'manual',
    });
    const body = await answer.text();
    const isDocument = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    response.writeHead(answer.status, { 'content-type': isDocument ? 'application/json' : 'text/html' });
    response.end(
      isDocument ? JSON.stringify(lied(JSON.parse(body))) : `${body}<script>alert("pwned")</script>`,
    );
  });

  function lied(value: unknown, field = '', depth = 0): unknown {
    if (how === 'none') return value;
    if (Array.isArray(value)) {
      const rows = value.map((one) => lied(one, field, depth + 1));
      const isFlood = how === 'rows' && rows.length > 0 && typeof rows[0] === 'object' && depth <= 3;
      return isFlood
        ? Array.from({ length: rowsOfAFlood }, (_, at) => renumbered(rows[at % rows.length], at))
        : rows;
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, lied(one, name, depth + 1)]),
      );
    }
    if (how === 'kinds' && field !== 'error') return wrongKindOf(value);
    if (how !== 'texts' || typeof value !== 'string') return value;
    if (addresses.test(field)) return 'javascript:alert("pwned")';
    return texts.test(field) ? `${value}${text(120)}` : value;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: app.key,
    keys,
    lie(next) {
      how = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

/** A value of another type than promised, rotating through many types. */
function wrongKindOf(value: unknown): unknown {
  if (typeof value === 'string') return [-1, null, {}, ['<x-pwned>'], 1e308][value.length % 5];
  if (typeof value === 'number') return ['<x-pwned>', -value - 1, null, [], 'NaN'][Math.abs(value) % 5];
  return { '<x-pwned>': value };
}

function renumbered(row: unknown, at: number): unknown {
  return typeof row === 'object' && row !== null && 'id' in row ? { ...row, id: at + 1 } : row;
}
