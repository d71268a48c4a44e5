import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A service that speaks the published contract and nothing else, written from its text alone: no import from the
 * product. Wherever the contract shows two variants it answers the reduced one; a list says `error: "0"`; refusals have
 * status 200; everything is limited to 30 requests a minute.
 */

/** An answered request, for tests to inspect. */
interface PlainRequest {
  method: string;
  path: string;
  key: string | undefined;
  body: unknown;
}

export interface BaseContractService {
  origin: string;
  key: string;
  requests: PlainRequest[];
  campaigns: { id: number; name: string; public: boolean }[];
  channels: { id: number; name: string; description: string; color: string; starred: boolean }[];
  files: { id: number; name: string; size: number }[];
  /** Rejects all keys from now on. */
  expireKeys(): void;
  close(): Promise<void>;
}

type Answer = Record<string, unknown>;

const refused = (message: string): Answer => ({ error: 1, message });

/** Starts the service on a free port of this machine. `perMinute` is the contract's 30 unless a test needs another. */
export async function baseContractService({ perMinute = 30 } = {}): Promise<BaseContractService> {
  let key = 'PLAIN-KEY-1234567890';
  let nextId = 100;
  const requests: PlainRequest[] = [];
  const campaigns: BaseContractService['campaigns'] = [{ id: 1, name: 'Spring sale', public: true }];
  const channels: BaseContractService['channels'] = [
    { id: 2, name: 'Newsletter', description: 'Mail', color: '#FF0000', starred: true },
  ];
  const files: BaseContractService['files'] = [];
  const domains = [
    { id: 3, domain: 'https://go.example.com', redirectroot: null as string | null, redirect404: null },
  ];
  let window = { began: Date.now(), used: 0 };

  function listOf(name: string, all: unknown[], query: URLSearchParams): Answer {
    const perpage = Number(query.get('limit') ?? 15);
    const currentpage = Number(query.get('page') ?? 1);
    const maxpage = Math.max(1, Math.ceil(all.length / perpage));
    return {
      error: '0',
      data: {
        result: all.length,
        perpage,
        currentpage,
        nextpage: currentpage < maxpage ? currentpage + 1 : null,
        maxpage,
        [name]: all.slice((currentpage - 1) * perpage, currentpage * perpage),
      },
    };
  }

  const shownCampaign = (campaign: BaseContractService['campaigns'][number]) => ({
    ...campaign,
    rotator: `https://plain.example/r/${campaign.id}`,
    list: `https://plain.example/u/plain/list-${campaign.id}`,
  });

  function answerOf(method: string, path: string, query: URLSearchParams, body: Answer): Answer {
    const id = Number(/\/(\d+)(\/|$)/.exec(path)?.[1]);
    const route = `${method} ${path.replace(/\/\d+/g, '/:id')}`;
    switch (route) {
      case 'GET /api/account':
        return {
          error: 0,
          data: {
            id: 1,
            email: 'plain@example.com',
            username: 'plain',
            avatar: 'https://plain.example/avatar.png',
            status: 'pro',
            expires: '2027-01-01 00:00:00',
            registered: '2024-01-01 00:00:00',
          },
        };
      case 'PUT /api/account/update':
        return { error: 0, message: 'Account has been updated.' };
      case 'GET /api/domains':
        return listOf('domains', domains, query);
      case 'POST /api/domain/add':
        domains.push({
          id: ++nextId,
          domain: `https://${body.domain}`,
          redirectroot: null,
          redirect404: null,
        });
        return { error: 0, id: nextId };
      case 'GET /api/campaigns': {
        const wanted = (query.get('q') ?? '').toLowerCase();
        return listOf(
          'campaigns',
          campaigns.filter(({ name }) => name.toLowerCase().includes(wanted)).map(shownCampaign),
          query,
        );
      }
      case 'GET /api/campaign/:id': {
        const found = campaigns.find((campaign) => campaign.id === id);
        if (!found) return refused('Campaign does not exist.');
        const { data } = listOf('links', [], query) as { data: Answer };
        return { error: 0, data: { campaign: shownCampaign(found), ...data } };
      }
      case 'POST /api/campaign/add': {
        const added = { id: ++nextId, name: String(body.name ?? ''), public: body.public === true };
        campaigns.push(added);
        const { name, ...shown } = shownCampaign(added);
        return { error: 0, campaign: name, ...shown };
      }
      case 'PUT /api/campaign/:id/update': {
        const found = campaigns.find((campaign) => campaign.id === id);
        if (!found) return refused('Campaign does not exist.');
        if (typeof body.name !== 'string') return refused('Name is required.');
        found.name = body.name;
        if (typeof body.public === 'boolean') found.public = body.public;
        const { name, ...shown } = shownCampaign(found);
        return { error: 0, campaign: name, ...shown };
      }
      case 'DELETE /api/campaign/:id/delete':
        campaigns.splice(
          campaigns.findIndex((campaign) => campaign.id === id),
          1,
        );
        return { error: 0, message: 'Campaign has been deleted.' };
      case 'GET /api/channels':
        return listOf('channels', channels, query);
      case 'GET /api/channel/:id':
        return listOf('items', [], query);
      case 'POST /api/channel/add': {
        const { name = '', description = '', color = '#000000', starred = false } = body;
        const added = {
          id: ++nextId,
          name,
          description,
          color,
          starred,
        } as BaseContractService['channels'][number];
        channels.push(added);
        return { error: 0, ...added };
      }
      case 'PUT /api/channel/:id/update':
        Object.assign(channels.find((channel) => channel.id === id) ?? {}, body);
        return { error: 0, message: 'Channel has been updated.' };
      case 'DELETE /api/channel/:id/delete':
        channels.splice(
          channels.findIndex((channel) => channel.id === id),
          1,
        );
        return { error: 0, message: 'Channel has been deleted.' };
      case 'GET /api/overlay':
        return listOf(
          'cta',
          [{ id: 7, type: 'message', name: 'Autumn', date: '2026-01-02 03:04:05' }],
          query,
        );
      case 'GET /api/splash':
        return listOf('splash', [{ id: 8, name: 'Welcome', date: '2026-01-02 03:04:05' }], query);
      case 'GET /api/files': {
        const { data } = listOf('list', files.map(shownFile), query) as { data: Answer };
        return { error: '0', ...data };
      }
      default:
        return refused('This method does not exist.');
    }
  }

  const shownFile = (file: BaseContractService['files'][number]) => ({
    id: file.id,
    name: file.name,
    downloads: 0,
    shorturl: `https://plain.example/f${file.id}`,
    date: '2026-02-03 04:05:06',
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://plain.example');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const sent = request.headers.authorization?.replace(/^Bearer /, '');
    const upload = /^\/api\/files\/upload\/(.+)$/.exec(pathname);
    const body = upload || raw.length === 0 ? {} : (JSON.parse(raw.toString('utf8')) as Answer);
    requests.push({ method: request.method ?? '', path: request.url ?? '', key: sent, body });

    if (Date.now() - window.began > 60_000) window = { began: Date.now(), used: 0 };
    window.used += 1;
    const isOver = window.used > perMinute;
    let answer: Answer;
    if (isOver) answer = refused('You are being rate limited.');
    else if (sent !== key) answer = refused('A valid API key is required to use this service.');
    else if (upload && request.method === 'POST') {
      files.push({ id: ++nextId, name: decodeURIComponent(upload[1] as string), size: raw.length });
      answer = { error: 0, id: nextId, shorturl: `https://plain.example/f${nextId}` };
    } else answer = answerOf(request.method ?? '', pathname, searchParams, body);

    response.writeHead(isOver ? 429 : 200, {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': perMinute,
      'X-RateLimit-Remaining': Math.max(0, perMinute - window.used),
      'X-RateLimit-Reset': Math.ceil((window.began + 60_000) / 1000),
    });
    response.end(JSON.stringify(answer));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    key,
    requests,
    campaigns,
    channels,
    files,
    expireKeys() {
      key = 'NOBODY-HAS-THIS-KEY';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
