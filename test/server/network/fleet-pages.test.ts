import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { engineUsers } from '../../../server/network/fleet/engine-config.ts';
import type { TestApp } from '../../support/app.ts';
import { browser, removeFolders, startEdge, startOrigin, type TestEdge } from '../../support/fleet.ts';
import { hasNats, type NatsServer, natsMissing, natsUsers, startNats } from '../../support/nats.ts';
import { picturesFor, visitAllPages } from '../../support/public-pages.ts';
import { visit } from '../../support/visits.ts';

if (!hasNats) console.warn(natsMissing);

/** Host of a branded domain with a logo and a favicon of its own. */
const brand = 'brand.test';

describe.skipIf(!hasNats)('public pages and pictures', () => {
  let nats: NatsServer;
  let server: TestApp;
  let edge: TestEdge;
  /** Paths of pages of the main address, and of the branded domain. */
  const paths: string[] = [];
  const branded: string[] = ['/', '/favicon.ico', '/nothing-there'];

  async function make(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await server.request('POST', `/api/${path}`, { body });
    expect(reply.body, path).toMatchObject({ error: 0 });
    return reply.body;
  }

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    const folder = mkdtempSync(join(tmpdir(), 'waypost-origin-'));
    server = await startOrigin(nats, {
      ...{ folder, ratelimit: 100_000, uncountedAddresses: ['127.0.0.1'] },
      ...(await picturesFor()),
    });
    addBrand();
    const text = (longest: number) =>
      'Ganz ordinary “words” <b> & ümlauts '.repeat(80).slice(0, longest).trim();
    for (const { path, name } of await visitAllPages(server, 'k', text)) {
      if (!/^(wrong|thanks|not taken|unknown host)/.test(name)) paths.push(path);
    }
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#993366' } })
      .png()
      .toBuffer();
    const logo = `data:image/png;base64,${picture.toString('base64')}`;
    const code = await make('qr/add', {
      ...{ type: 'text', data: { text: 'with a logo' }, name: 'Logo', custom: 'klogo' },
      ...{ dynamic: true, logo },
    });
    const codePath = new URL(String(code.link)).pathname;
    for (const end of ['', '+', '.png', '.jpg', '.svg', '.pdf', '.png?size=400']) paths.push(codePath + end);
    paths.push('/qr/kvcard.vcf', '/qr/kevent.ics');
    const { body } = await visit(server, '/nothing-there');
    const [font = ''] = /\/assets\/[^)]+-latin\.woff2/.exec(body) ?? [];
    expect(font).not.toBe('');
    paths.push(font);
    branded.push(font);
    const about = { name: 'Anna Berg', media: true, public: true };
    expect((await server.request('PUT', '/api/account/update', { body: about })).status).toBe(200);
    paths.push('/u/anna');
    await make('bio/add', { alias: 'brandbio', name: 'Branded', domain: brand, title: 'On a domain' });
    await make('url/add', { url: 'https://example.org/', custom: 'brandlink', domain: brand });
    branded.push('/brandbio', '/brandlink', '/brandlink+');
    for (const path of ['/robots.txt', '/favicon.ico', '/sitemap.xml', '/.well-known/assetlinks.json']) {
      paths.push(path);
      branded.push(path);
    }
    edge = await startEdge(server);
    // It answers from its first snapshot; what came after that follows in order.
    const isKnown = async () => expect((await ask(edge.origin, '/brandlink', brand)).status).toBe(302);
    await vi.waitFor(isKnown, { timeout: 20_000, interval: 200 });
  });

  afterAll(async () => {
    await edge.close();
    await server.close();
    await nats.close();
    removeFolders(edge, server);
  });

  /** A domain that works, without a name server to say so. */
  function addBrand(): void {
    const { main } = server.databases;
    const { lastInsertRowid: id } = main
      .prepare(
        `INSERT INTO domains (user_id, host, active, created_at, dns_status, server_synced)
         VALUES (1, ?, 1, ?, 1, 1)`,
      )
      .run(brand, server.clock.now());
    for (const kind of ['logo', 'favicon']) {
      main
        .prepare('INSERT INTO domain_pictures (domain_id, kind, token, type, body) VALUES (?, ?, ?, ?, ?)')
        .run(id, kind, `${kind}-aaaaaaaaaaaaaaaaaaaaaa`.slice(0, 22), 'image/png', Buffer.from(kind));
    }
  }

  /** What differs with every request: the time, and random names of scripts. */
  const withoutChance = (text: string): string =>
    text.replaceAll(/nonce-[\w+/=-]+|nonce="[^"]+"/g, 'nonce').replaceAll(/\b\d{13}\b/g, 'now');

  async function ask(origin: string, path: string, host?: string, localAddress?: string) {
    const { hostname, port } = new URL(origin);
    return await new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          path,
          ...(localAddress && { localAddress }),
          headers: { ...browser, ...(host && { host }) },
        },
        (reply) => {
          const pieces: Buffer[] = [];
          reply.on('data', (piece: Buffer) => pieces.push(piece));
          reply.on('end', () => {
            const { date: _, ...headers } = reply.headers;
            const body = Buffer.concat(pieces).toString('latin1');
            resolve({
              status: reply.statusCode ?? 0,
              headers: withoutChance(JSON.stringify(headers)).replaceAll(`:${port}`, ''),
              body: withoutChance(body).replaceAll(`:${port}`, ''),
            });
          });
        },
      );
      sent.on('error', reject).end();
    });
  }

  /** Addresses on this instance that a page shows or leads to. */
  const linkedFrom = (body: string): string[] =>
    [...body.matchAll(/(?:src|href|content)="(?:http:\/\/(?:go|brand)\.test)?(\/[^"/][^"]*)"/g)].map(
      ([, path = '']) => path.replaceAll('&amp;', '&'),
    );

  it("are served under the address given at the origin's start, and no other", async () => {
    const [there, here] = await Promise.all(
      [server, edge].map(({ origin }) => ask(origin, '/kplain', 'go.test')),
    );
    expect(here).toEqual(there);
    expect(here?.status).toBe(302);
    expect((await ask(edge.origin, '/kplain', 'elsewhere.test')).status).toBe(404);
  });

  it("are not counted for addresses that the origin's start excludes", async () => {
    const { body } = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.org/', custom: 'uncounted' },
    });
    await expect.poll(async () => (await ask(edge.origin, '/uncounted')).status).toBe(302);
    await ask(edge.origin, '/uncounted', undefined, '127.0.0.2');
    const clicks = async () => (await server.request('GET', `/api/url/${body.id}/stats`)).body.data.clicks;
    await expect.poll(clicks, { timeout: 20_000, interval: 250 }).toBe(1);
  });

  it('are the same on an edge, byte for byte, with everything that they show', async () => {
    const differing: object[] = [];
    let pictures = 0;
    for (const [host, begun] of [
      [undefined, paths],
      [brand, branded],
    ] as const) {
      const open = [...new Set(begun)];
      const seen = new Set(open);
      for (let path = open.shift(); path !== undefined; path = open.shift()) {
        const there = await ask(server.origin, path, host);
        const here = await ask(edge.origin, path, host);
        if (/image\//.test(there.headers)) pictures += 1;
        if (JSON.stringify(here) !== JSON.stringify(there)) {
          differing.push({
            path: `${host ?? ''}${path}`,
            statuses: [there.status, here.status],
            headers: there.headers === here.headers ? 'same' : [there.headers, here.headers],
            sizes: [there.body.length, here.body.length],
          });
        }
        for (const linked of linkedFrom(there.body)) {
          if (seen.has(linked) || linked.startsWith('/admin')) continue;
          seen.add(linked);
          open.push(linked);
        }
      }
    }
    expect(differing).toEqual([]);
    expect(pictures).toBeGreaterThan(8);
  });
});
