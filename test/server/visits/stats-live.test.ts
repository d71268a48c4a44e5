import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEventStream } from '../../../renderer/api/event-stream.ts';
import { type ServerEvent, serverEvent } from '../../../server/contract/events.ts';
import { addLink, updateLink } from '../../../server/contract/links.ts';
import { signIn } from '../../../server/contract/sessions.ts';
import { live } from '../../../server/platform/events/live.ts';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

describe('the live stream', () => {
  let server: TestApp;
  beforeEach(async () => {
    server = await startApp();
  });
  afterEach(() => server.close());

  /** Opens the stream and returns a function that waits for the next event of a type. */
  async function open(key = server.key) {
    const cut = new AbortController();
    const response = await fetch(`${server.origin}/api/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: cut.signal,
    });
    const events = response.body ? readEventStream(response.body) : undefined;
    const next = async (type: ServerEvent['type']): Promise<ServerEvent> => {
      for (;;) {
        const { value, done } = (await events?.next()) ?? { done: true, value: undefined };
        if (done) throw new Error('the stream ended');
        const event = serverEvent.parse(value);
        if (event.type === type) return event;
      }
    };
    return { response, next, events, close: () => cut.abort() };
  }

  test('sends a greeting, and clicks with the total of their link', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/', custom: 'watched' } });
    const stream = await open();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await stream.next('hello');
    await visit(server, '/watched');
    await visit(server, '/watched');
    let last = await stream.next('click');
    // The two may come in one event or in two.
    if (last.type === 'click' && last.count < 2) last = await stream.next('click');
    expect(last).toMatchObject({ type: 'click', link: id, count: 2 });
    expect(last.type === 'click' && last.recent[0]).toMatchObject({
      link: id,
      browser: 'Chrome',
      bot: false,
    });
    stream.close();
  });

  test('reports a deleted and a restored page, and that any domain and channel may look different', async () => {
    const { body } = await server.request('POST', '/api/bio/add', { body: { name: 'Anna' } });
    const stream = await open();
    await stream.next('hello');
    const told = [
      { resource: 'bio', ids: [body.id] },
      { resource: 'domains', ids: [] },
      { resource: 'channels', ids: [] },
    ];
    for (const [method, action] of [
      ['DELETE', 'delete'],
      ['POST', 'restore'],
    ] as const) {
      await server.request(method, `/api/bio/${body.id}/${action}`, { body: {} });
      for (const change of told) expect(await stream.next('changed')).toMatchObject(change);
    }
    stream.close();
  });

  test('reports changes of links', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/' } });
    const stream = await open();
    await stream.next('hello');
    await server.call(updateLink, { params: { id }, body: { title: 'New' } });
    expect(await stream.next('changed')).toMatchObject({ resource: 'links', ids: [id] });
    stream.close();
  });

  test('ends when the server stops', async () => {
    const stream = await open();
    await stream.next('hello');
    server.app.drain();
    expect((await stream.events?.next())?.done).toBe(true);
  });

  test('ends immediately on a connection kept while the server stops, which continues stopping', async () => {
    const complaints: unknown[] = [];
    const note = (error: unknown) => void complaints.push(error);
    process.on('uncaughtException', note);
    try {
      server.app.drain();
      const { response } = await open();
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect((await server.request('GET', '/api/health')).status).toBe(200);
    } finally {
      process.off('uncaughtException', note);
    }
    expect(complaints).toEqual([]);
    expect(server.logLines().filter((line) => line.includes('write after end'))).toEqual([]);
  });

  test('can be opened twenty times by one person, whatever the keys', async () => {
    const { email, password } = administrator;
    const sessions: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      sessions.push((await server.clientFor('')(signIn, { body: { login: email, password } })).data.token);
    }
    const streams = [];
    for (let index = 0; index < 20; index += 1) streams.push(await open(sessions[index % 5]));
    const refused = await open();
    expect([refused.response.status, (await refused.response.json()).code]).toEqual([
      429,
      'too_many_streams',
    ]);
    expect(refused.response.headers.get('retry-after')).toBe('60');
    streams.pop()?.close();
    await expect.poll(async () => (await open(sessions[0])).response.status).toBe(200);
    for (const stream of streams) stream.close();
  });
});

describe('watchers', () => {
  function setUp(take: (work: () => void) => void = (work) => work()) {
    const told: [number, ServerEvent][] = [];
    const ended: number[] = [];
    const updates = live({
      totalsOf: async (ids) => ids.map((id) => ({ id, clicks: id * 10 })),
      clicksOf: async () => [],
      take,
      monotonic: () => 0,
      onError: (error) => {
        throw error;
      },
    });
    const watch = (userId: number, keyId: number) =>
      updates.watch({
        userId,
        personId: userId,
        keyId,
        timezone: 'UTC',
        send: (events) => told.push(...events.map((event): [number, ServerEvent] => [keyId, event])),
        end: () => ended.push(keyId),
      });
    return { updates, watch, told, ended };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  test('are told in a turn each, so that redirects do not wait for all of them', () => {
    const turns: (() => void)[] = [];
    const { updates, watch, told, ended } = setUp((work) => void turns.push(work));
    const leave = Array.from({ length: 20 }, (_, key) => watch(1, key));
    updates.changed({ accountId: 1, resource: 'links', ids: [5] });
    updates.tell(1, { type: 'hello' });
    expect([turns.length, told.length]).toEqual([40, 0]);
    turns.shift()?.();
    expect(told).toEqual([[0, { type: 'changed', resource: 'links', ids: [5] }]]);
    leave[1]?.();
    updates.closeFor(2);
    for (const turn of turns.splice(0)) turn();
    expect(ended).toEqual([2]);
    expect(told.filter(([key]) => key === 1 || key === 2)).toEqual([]);
    expect(told.filter(([key]) => key === 3).map(([, { type }]) => type)).toEqual(['changed', 'hello']);
  });

  test('are 500 at most, and one that leaves makes room', () => {
    const { watch } = setUp();
    const leave = Array.from({ length: 500 }, (_, index) => watch(index % 25, index));
    expect(() => watch(99, 999)).toThrow(/reached its limit of live streams/);
    leave[7]?.();
    leave[7]?.();
    watch(99, 999);
    expect(() => watch(98, 998)).toThrow(/reached its limit of live streams/);
  });

  test('receive events of their own account only', async () => {
    const { updates, watch, told } = setUp();
    watch(1, 11);
    watch(2, 22);
    updates.clicksCounted([
      { userId: 1, linkId: 5, count: 1, newest: [1] },
      { userId: 3, linkId: 6, count: 1, newest: [2] },
    ]);
    updates.changed({ accountId: 2, resource: 'links', ids: [9] });
    await settled();
    expect(told).toEqual([
      [22, { type: 'changed', resource: 'links', ids: [9] }],
      [11, { type: 'click', link: 5, count: 50, recent: [] }],
    ]);
  });

  test('receive many simultaneous clicks as one event', async () => {
    const { updates, watch, told } = setUp();
    watch(1, 11);
    for (let id = 1; id <= 1000; id += 1)
      updates.clicksCounted([{ userId: 1, linkId: 5, count: 1, newest: [id] }]);
    await settled();
    expect(told).toHaveLength(1);
  });

  test('end with their key, and others stay', () => {
    const { updates, watch, ended } = setUp();
    watch(1, 11);
    watch(1, 12);
    updates.closeFor(11);
    expect(ended).toEqual([11]);
    updates.closeAll();
    expect(ended).toEqual([11, 12]);
  });
});
