import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiReply, ApiRequest } from '../../../preload/contract.ts';
import { apiClient, installClient } from '../../../renderer/api/client.ts';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import { useTransferStore } from '../../../renderer/operations/transfer/transfer-store.ts';
import { account, meta } from '../page.ts';

interface Record {
  id: number;
  [field: string]: unknown;
}

/** A server in memory: lists, adding and deleting, with names and aliases that are taken once. */
class Server {
  readonly lists: { [list: string]: Record[] } = { campaigns: [], channels: [], urls: [], domains: [] };
  readonly writes: string[] = [];
  nextId = 100;
  /** Asked before each request; an answer or an error of it comes instead. */
  before: (request: ApiRequest) => Partial<ApiReply> | undefined = () => undefined;
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  answer(request: ApiRequest): ApiReply {
    const early = this.before(request);
    if (early) return { status: 200, headers: {}, body: null, ...early };
    if (request.method !== 'GET') this.writes.push(`${request.method} ${request.path}`);
    return { status: 200, headers: {}, body: this.body(request) };
  }

  private body({ method, path, body }: ApiRequest): unknown {
    const [route = '', search = ''] = path.split('?');
    const query = new URLSearchParams(search);
    if (route === '/api/meta') return meta(false).body;
    if (route === '/api/account') return { error: 0, data: { ...account, domain: this.origin } };
    const single = /^\/api\/(campaign|channel|url)\/(\d+)/.exec(route);
    const list = this.lists[single ? `${single[1]}s` : (route.slice(5) ?? '')];
    if (method === 'GET' && single) {
      const details = list?.find(({ id }) => id === Number(single[2]));
      const counts = {
        clicks: 0,
        uniqueClicks: 0,
        topCountries: {},
        topReferrers: {},
        topBrowsers: {},
        topOs: {},
      };
      const socialCount = { facebook: 0, twitter: 0, google: 0 };
      return { error: 0, id: details?.id, details, data: { ...counts, socialCount } };
    }
    if (method === 'GET' && list) {
      const short = query.get('short');
      const found = short === null ? list : list.filter(({ alias }) => alias === short);
      const perpage = Number(query.get('limit') ?? 15);
      const page = Number(query.get('page') ?? 1);
      const maxpage = Math.max(1, Math.ceil(found.length / perpage));
      const items = found.slice((page - 1) * perpage, page * perpage);
      const counts = { result: found.length, perpage, currentpage: page, maxpage };
      return {
        error: 0,
        data: { ...counts, nextpage: page < maxpage ? page + 1 : null, [route.slice(5)]: items },
      };
    }
    if (method === 'DELETE' && single && list) {
      const place = list.findIndex(({ id }) => id === Number(single[2]));
      list.splice(place, 1);
      return { error: 0, message: 'Gone.' };
    }
    const sent = body as { [field: string]: unknown };
    const resource = /^\/api\/(campaign|channel|url)\/add$/.exec(route)?.[1];
    const place = this.lists[`${resource}s`];
    if (!resource || !place) return { error: 1, message: `unexpected ${method} ${path}` };
    const id = ++this.nextId;
    const alias = sent.custom ?? `random${id}`;
    if (resource === 'url' && place.some((other) => other.alias === alias))
      return { error: 1, message: 'This alias is already taken.', code: 'alias_taken', field: 'custom' };
    if (resource !== 'url' && place.some((other) => other.name === sent.name))
      return { error: 1, message: 'You already have one.', code: 'name_taken', field: 'name' };
    const made = resource === 'url' ? linkRecord(id, String(alias), String(sent.url)) : { ...sent, id };
    place.push(
      resource === 'campaign'
        ? campaignRecord(id, String(sent.name))
        : { description: null, color: null, starred: false, ...made, sent },
    );
    return { error: 0, description: null, color: null, ...made };
  }
}

const linkRecord = (id: number, alias: string, longurl: string): Record => ({
  id,
  alias,
  shorturl: `https://s.example/${alias}`,
  longurl,
  title: null,
  clicks: 0,
  date: '2026-01-01 00:00:00',
});
const campaignRecord = (id: number, name: string): Record => ({
  id,
  name,
  public: false,
  rotator: 'https://s.example/r/x',
  list: 'x',
});
const channelRecord = (id: number, name: string): Record => ({
  id,
  name,
  description: null,
  color: null,
  starred: false,
});

let from: Server;
let to: Server;

beforeEach(() => {
  setActivePinia(createPinia());
  from = new Server('https://from.example');
  to = new Server('https://to.example');
  const servers: { [id: string]: Server } = { far: from, local: to };
  installClient(
    apiClient({ transport: transportOf(servers), instanceId: () => 'local' }),
    ({ instanceId: id, account: team }, onWait) =>
      apiClient({
        transport: transportOf(servers),
        instanceId: () => id,
        account: () => team,
        ...(onWait && { onWait }),
      }),
  );
  const instances = useInstanceStore();
  const common = { color: 'teal', signedIn: true };
  instances.list = [
    { ...common, id: 'local', name: 'Here', kind: 'local', origin: to.origin },
    { ...common, id: 'far', name: 'Far', kind: 'remote', origin: from.origin },
  ];
  from.lists.campaigns = [campaignRecord(1, 'Spring')];
  from.lists.channels = [channelRecord(2, 'Mail')];
  from.lists.urls = [
    { ...linkRecord(3, 'one', 'https://example.com/1'), campaign: 1, channel: [2] },
    linkRecord(4, 'two', 'https://example.com/2'),
  ];
});
afterEach(() => {
  vi.useRealTimers();
});

function transportOf(servers: { [id: string]: Server }) {
  return {
    runtime: 'desktop' as const,
    async request(id: string, request: ApiRequest): Promise<ApiReply> {
      const server = servers[id];
      if (!server) throw new Error(`Nobody is ${id}.`);
      return server.answer(request);
    },
    subscribe: () => () => {},
    resource: (_id: string, path: string) => path,
  } as unknown as Parameters<typeof apiClient>[0]['transport'];
}

async function ready() {
  const job = useTransferStore();
  job.sourceId = 'far';
  await job.check();
  expect(job.failure).toBeUndefined();
  expect(job.phase).toBe('ready');
  return job;
}

const outcomes = (job: ReturnType<typeof useTransferStore>) =>
  job.rows.map(({ key }) => [key, job.results.get(key)?.outcome]);

describe('copying from another instance', () => {
  it('writes nothing before it is told to, then puts links into the created groups', async () => {
    const job = await ready();
    expect(job.rows.map(({ state }) => state)).toEqual(['new', 'new', 'new', 'new']);
    expect([...from.writes, ...to.writes]).toEqual([]);
    await job.start();
    expect(job.phase).toBe('done');
    expect(outcomes(job).map(([, outcome]) => outcome)).toEqual(['created', 'created', 'created', 'created']);
    expect(from.writes).toEqual([]);
    const [campaign, channel] = [to.lists.campaigns?.[0]?.id, to.lists.channels?.[0]?.id];
    expect(to.lists.urls?.[0]?.sent).toMatchObject({ custom: 'one', campaign, channel: [channel] });
    expect(to.lists.urls?.[1]?.sent).not.toHaveProperty('campaign');
  });

  it('reads from the selected team, writes to the acting one, and does not request members', async () => {
    const asked: { from: ApiRequest[]; to: ApiRequest[] } = { from: [], to: [] };
    from.before = (request) => void asked.from.push(request);
    to.before = (request) => void asked.to.push(request);
    const instances = useInstanceStore();
    instances.meta = meta(false).body.data;
    instances.team = 7;
    const job = useTransferStore();
    job.sourceTeam = { id: 21, name: 'Rockets' };
    await ready();
    await job.start();
    expect(job.phase).toBe('done');
    expect(to.lists.urls?.map(({ alias }) => alias)).toEqual(['one', 'two']);
    const accounts = (requests: ApiRequest[]) => [...new Set(requests.map(({ account: team }) => team))];
    expect(accounts(asked.from.filter(({ path }) => path !== '/api/meta'))).toEqual([21]);
    expect(accounts(asked.to.filter(({ path }) => path !== '/api/meta'))).toEqual([7]);
    expect([...asked.from, ...asked.to].filter(({ path }) => /team|member/.test(path))).toEqual([]);
    // Another account acts meanwhile: what was begun stays where it was begun.
    asked.to.length = 0;
    instances.team = undefined;
    await job.undo();
    expect(accounts(asked.to)).toEqual([7]);
    expect(to.lists.urls).toEqual([]);
  });

  it('is undone in reverse order, and keeps what it did not create', async () => {
    to.lists.channels = [channelRecord(50, 'mail')];
    to.lists.urls = [linkRecord(51, 'mine', 'https://example.com/mine')];
    const job = await ready();
    await job.start();
    expect(outcomes(job)).toContainEqual(['channels:2', 'exists']);
    expect(to.lists.urls?.[1]?.sent).toMatchObject({ channel: [50] });
    to.writes.length = 0;
    await job.undo();
    expect(job.phase).toBe('undone');
    expect(to.writes).toEqual([
      'DELETE /api/url/103/delete?force=1',
      'DELETE /api/url/102/delete?force=1',
      'DELETE /api/campaign/101/delete',
    ]);
    expect(to.lists.urls).toHaveLength(1);
    expect(to.lists.channels).toHaveLength(1);
    expect(job.made).toEqual([]);
  });

  it('copies channels whose names are no longer allowed under the nearest allowed name', async () => {
    from.lists.channels = [channelRecord(2, 'mail//2027'), channelRecord(5, '/Print/')];
    from.lists.urls = [{ ...linkRecord(3, 'one', 'https://example.com/1'), channel: [2, 5] }];
    to.lists.channels = [channelRecord(50, 'Print')];
    to.before = ({ path, body }) =>
      path === '/api/channel/add' && /^\/|\/\/|\/$/.test((body as { name: string }).name)
        ? { status: 400, body: { error: 1, message: 'No.', code: 'empty_part', field: 'name' } }
        : undefined;
    const job = await ready();
    await job.start();
    expect(outcomes(job).slice(1)).toEqual([
      ['channels:2', 'created'],
      ['channels:5', 'exists'],
      ['links:3', 'created'],
    ]);
    const made = to.lists.channels?.find(({ name }) => name === 'mail/2027');
    expect(to.lists.urls?.[0]?.sent).toMatchObject({ channel: [made?.id, 50] });
  });

  it('finds everything existing the second time', async () => {
    await (await ready()).start();
    const again = await ready();
    expect(again.rows.map(({ state }) => state)).toEqual(['exists', 'exists', 'exists', 'exists']);
    expect(again.toCopy).toEqual([]);
  });

  it('continues after a refused row, and retries it on request', async () => {
    const job = await ready();
    let refusals = 1;
    to.before = ({ path, body }) => {
      if (path !== '/api/url/add' || (body as { custom: string }).custom !== 'one' || refusals-- <= 0)
        return undefined;
      return {
        status: 403,
        body: { error: 1, message: 'Your plan allows 1 links.', code: 'plan_required' },
      };
    };
    await job.start();
    expect(outcomes(job).slice(2)).toEqual([
      ['links:3', 'failed'],
      ['links:4', 'created'],
    ]);
    expect(job.results.get('links:3')?.message).toBe('Your plan allows 1 links.');
    await job.retry();
    expect(outcomes(job).slice(2)).toEqual([
      ['links:3', 'created'],
      ['links:4', 'created'],
    ]);
    expect(to.lists.urls).toHaveLength(2);
  });

  it('stops when the connection is lost and creates nothing twice when resumed', async () => {
    const job = await ready();
    let isLost = true;
    to.before = (request) => {
      if (!isLost || request.path !== '/api/url/add') return undefined;
      isLost = false;
      // The link is made, and the answer is lost on its way.
      to.answer(request);
      throw new ApiFailure('unreachable', 'The server is not responding.');
    };
    await job.start();
    expect(job.phase).toBe('stopped');
    expect(job.failure).toBe('The server is not responding.');
    await job.start();
    expect(job.phase).toBe('done');
    expect(outcomes(job).slice(2)).toEqual([
      ['links:3', 'exists'],
      ['links:4', 'created'],
    ]);
    expect(to.lists.urls).toHaveLength(2);
  });

  it('skips links with taken aliases, or copies them with random ones', async () => {
    to.lists.urls = [linkRecord(60, 'one', 'https://example.com/other')];
    const job = await ready();
    expect(job.toCopy.map(({ key }) => key)).not.toContain('links:3');
    job.conflict = 'rename';
    await job.start();
    expect(outcomes(job)).toContainEqual(['links:3', 'renamed']);
    expect(to.lists.urls?.[0]?.longurl).toBe('https://example.com/other');
    expect(to.lists.urls?.[1]?.alias).toMatch(/^random/);
  });

  it('detects aliases taken meanwhile, and follows the conflict option', async () => {
    const job = await ready();
    to.lists.urls = [linkRecord(60, 'one', 'https://example.com/other')];
    await job.start();
    expect(job.results.get('links:3')).toEqual({ outcome: 'left', message: 'This alias is already taken.' });
  });

  it('does not mistake a link in the trash for the one to copy', async () => {
    const job = await ready();
    to.lists.urls = [{ ...linkRecord(60, 'one', 'https://example.com/1'), state: 'trashed' }];
    await job.start();
    expect(job.results.get('links:3')?.outcome).toBe('left');
  });

  it('does not copy what is deselected, and notes that a link lacks its campaign', async () => {
    const job = await ready();
    job.tick(['campaigns:1', 'links:4'], false);
    await job.start();
    expect(to.lists.campaigns).toEqual([]);
    expect(outcomes(job)).toContainEqual(['links:4', 'left']);
    expect(job.results.get('links:3')).toMatchObject({ outcome: 'created', notes: ['campaign'] });
  });

  it('waits for the rate limit longer than a single call would, and says so', async () => {
    const job = await ready();
    vi.useFakeTimers();
    let refusals = 2;
    to.before = ({ path }) =>
      path === '/api/channel/add' && refusals-- > 0
        ? { status: 429, headers: { 'retry-after': '80' }, body: { error: 1, message: 'Too many.' } }
        : undefined;
    const copying = job.start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(job.phase).toBe('copying');
    expect(job.pausedUntil).toBeGreaterThan(Date.now());
    await vi.advanceTimersByTimeAsync(200_000);
    await copying;
    expect(job.phase).toBe('done');
    expect(job.pausedUntil).toBeUndefined();
    expect(job.failed).toBe(0);
  });

  it('can be cancelled while waiting and resumes where it was', async () => {
    const job = await ready();
    vi.useFakeTimers();
    let isLimited = true;
    to.before = ({ path }) =>
      path === '/api/channel/add' && isLimited
        ? { status: 429, headers: { 'retry-after': '60' }, body: { error: 1, message: 'Too many.' } }
        : undefined;
    const copying = job.start();
    await vi.advanceTimersByTimeAsync(500);
    job.cancel();
    await vi.advanceTimersByTimeAsync(10);
    await copying;
    expect(job.phase).toBe('stopped');
    expect(job.failure).toBeUndefined();
    expect(job.made).toHaveLength(1);
    isLimited = false;
    await job.start();
    expect(job.phase).toBe('done');
    expect(to.lists.campaigns).toHaveLength(1);
    expect(to.lists.channels).toHaveLength(1);
  });

  it('does not mistake an unreadable list for an empty one', async () => {
    to.lists.channels = [{ id: 7, name: 'Mail' }];
    const job = useTransferStore();
    job.sourceId = 'far';
    await job.check();
    expect(job.phase).toBe('choose');
    expect(job.failure).toMatch(/could not be understood/);
  });

  it('reads more than one page of links', async () => {
    from.lists.urls = Array.from({ length: 230 }, (_, index) =>
      linkRecord(1000 + index, `n${index}`, `https://example.com/n/${index}`),
    );
    const job = await ready();
    expect(job.rows.filter(({ kind }) => kind === 'links')).toHaveLength(230);
  });
});
