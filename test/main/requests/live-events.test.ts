import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { liveEvents } from '../../../main/requests/live-events.ts';
import { subscriptionsOf } from '../../../main/requests/subscriptions.ts';
import { eventParser } from '../../../server/contract/event-stream.ts';
import { type HttpStandIn, httpServer, instancesAt } from '../../support/desktop-parts.ts';

const servers: HttpStandIn[] = [];
const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  for (const server of servers.splice(0)) await server.close();
});

describe('the text of a live stream', () => {
  test.each([
    ['lines end in LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['lines end in CRLF', 'data: a\r\n\r\n', ['a']],
    ['lines end in CR', 'data: a\r\rdata: b\r\r\n', ['a', 'b']],
    ['data has several lines', 'data: a\ndata:  b\n\n', ['a\n b']],
    ['data is empty', 'data\n\n', ['']],
    ['there are comments and unknown fields', ': hi\nfoo: bar\ndata: a\n\n', ['a']],
    ['an event has no data', 'event: ping\n\ndata: a\n\n', ['a']],
    ['the last event is not finished', 'data: a\n\ndata: b', ['a']],
  ])('is understood when %s', (_, text, expected) => {
    expect(
      eventParser()
        .push(text)
        .map(({ data }) => data),
    ).toEqual(expected);
  });

  test('has names, an id and a time to wait', () => {
    const parser = eventParser();
    expect(parser.push('event: click\nid: 7\nretry: 50\ndata: 1\n\ndata: 2\n\n')).toEqual([
      { type: 'click', data: '1' },
      { type: 'message', data: '2' },
    ]);
    expect([parser.lastEventId(), parser.retry()]).toEqual(['7', 50]);
    parser.push('id: a\u0000\nretry: soon\n');
    expect([parser.lastEventId(), parser.retry()]).toEqual(['7', 50]);
  });

  test('means the same however it is cut', () => {
    const text = 'event: click\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: x\r\rdata: b\n\nid: 3\ndata: c\n\n';
    const whole = eventParser().push(text);
    fc.assert(
      fc.property(fc.array(fc.nat(9)), (cuts) => {
        const parser = eventParser();
        const found = [];
        let rest = text;
        for (const cut of cuts) {
          found.push(...parser.push(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        found.push(...parser.push(rest));
        expect(found).toEqual(whole);
      }),
    );
  });

  test('is given up when an event grows without end', () => {
    const parser = eventParser();
    expect(() => {
      for (let line = 0; line < 20; line++) parser.push(`data: ${'x'.repeat(100_000)}\n`);
    }).toThrow('too large');
  });
});

describe('a live stream', () => {
  test('brings every document, with the key of the instance', async () => {
    const { server, heard } = await aStream((response) => {
      response.write(
        'event: click\ndata: {"link":1}\n\ndata: {"type":"changed"}\n\ndata: no json\n\ndata: 3\n\n',
      );
    });
    await expect.poll(() => heard).toHaveLength(3);
    expect(heard).toEqual([{ link: 1, type: 'click' }, { type: 'changed' }, 3]);
    expect(server.seen[0]).toMatchObject({
      url: '/api/events',
      headers: { authorization: 'Bearer the key', accept: 'text/event-stream' },
    });
  });

  test('is opened again when it ends, and says which event it had last', async () => {
    const { server, heard } = await aStream((response) => {
      response.end(`id: ${server.seen.length}\ndata: ${server.seen.length}\n\n`);
    });
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2);
    expect(server.seen[0]?.headers).not.toHaveProperty('last-event-id');
    expect(server.seen[1]?.headers['last-event-id']).toBe('1');
  });

  test('is opened again when it is broken off or says nothing for long', async () => {
    const { server } = await aStream(
      (response) => {
        response.write(': hi\n\n');
        if (server.seen.length === 1) response.destroy();
      },
      { silence: 50 },
    );
    await expect.poll(() => server.seen.length).toBeGreaterThanOrEqual(3);
  });

  test('waits as long as the stream asks', async () => {
    const { server } = await aStream((response) => response.end('retry: 60000\ndata: 1\n\n'));
    await expect.poll(() => server.seen).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.seen).toHaveLength(1);
  });

  test('is not opened without a key, and is once there is one', async () => {
    const { server, parts, heard } = await aStream((response) => response.write('data: 1\n\n'), { key: '' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.seen).toHaveLength(0);
    await parts.secrets.keep('local:data-1', 'the key');
    await expect.poll(() => heard).toEqual([1]);
  });

  test.each([
    ['the key is not taken any more', 401, undefined, true],
    ['the person has no part in the team', 404, 7, true],
    ['the server has too many streams', 429, 7, false],
    ['the server has no streams', 404, undefined, false],
  ])('tells whether it was refused when %s', async (_, status, account, isTold) => {
    const server = await httpServer((_request, response) => void response.writeHead(status).end());
    servers.push(server);
    const parts = instancesAt({ local: { origin: server.origin, key: 'the key' } });
    const events = liveEvents({ ...parts, fetchers: { local: fetch, remote: fetch }, firstPause: 5 });
    let told = 0;
    stops.push(
      events.follow(
        'local',
        () => {},
        account,
        () => (told += 1),
      ),
    );
    await expect.poll(() => server.seen.length).toBeGreaterThanOrEqual(3);
    expect(told > 0).toBe(isTold);
  });

  test('moves with the local server to its new port', async () => {
    const { parts, server, heard } = await aStream((response) => response.end('data: 1\n\n'));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    const moved = await aServer((response) => response.write('data: "moved"\n\n'));
    const { origin } = moved;
    parts.server.become({ state: 'running', origin }, { origin, instanceId: 'data-1' });
    await server.close();
    servers.splice(servers.indexOf(server), 1);
    await expect.poll(() => heard).toContain('moved');
  });

  test('ends when nobody listens any more', async () => {
    const closed = Promise.withResolvers<void>();
    const { stop, heard } = await aStream((response) => {
      response.on('close', () => closed.resolve());
      response.write('data: 1\n\n');
    });
    await expect.poll(() => heard).toEqual([1]);
    stop();
    await closed.promise;
  });
});

test('the page can have twenty streams open, not more, and all end with it', () => {
  const ended: string[] = [];
  const subscriptions = subscriptionsOf(
    { follow: (id) => () => ended.push(id) },
    () => {},
    () => {},
  );
  for (let name = 1; name <= 20; name++) subscriptions.open(`${name}`, `instance ${name}`);
  expect(() => subscriptions.open('21', 'local')).toThrow('Too many');
  subscriptions.close('3');
  subscriptions.close('3');
  expect(ended).toEqual(['instance 3']);
  subscriptions.closeAll();
  expect(ended).toHaveLength(20);
});

async function aServer(answer: (response: ServerResponse) => void): Promise<HttpStandIn> {
  const server = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response);
  });
  servers.push(server);
  return server;
}

async function aStream(
  answer: (response: ServerResponse) => void,
  { key = 'the key', silence = 5_000 }: { key?: string; silence?: number } = {},
) {
  const server = await aServer(answer);
  const parts = instancesAt({ local: { origin: server.origin, ...(key && { key }) } });
  const heard: unknown[] = [];
  const events = liveEvents({ ...parts, fetchers: { local: fetch, remote: fetch }, firstPause: 5, silence });
  const stop = events.follow('local', (document) => heard.push(document));
  stops.push(stop);
  return { server, parts, heard, stop };
}
