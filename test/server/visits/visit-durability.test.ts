import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../../server/platform/database/connect.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { browsers, visit } from '../../support/visits.ts';

// SQLite counts the rows that a connection changed, so who wrote something can be asked: the connection that survives a
// power cut (`main`, synchronous=FULL), or the one that may lose its last moments (`clicks`, synchronous=NORMAL).

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
  // The first visitor of a day makes the day's salt, which is kept with the clicks.
  await visit(server, '/');
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const changesOf = (connection: Connection) =>
  connection.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;

async function add(path: string, body: object): Promise<number> {
  const reply = await server.request('POST', path, { body });
  expect(reply.body.error).toBe(0);
  return reply.body.id;
}

/** Sends a form, and gives its status and on which connections it wrote. */
async function send(path: string, fields: Record<string, string>) {
  const { main, clicks } = server.databases;
  const before = [changesOf(main), changesOf(clicks)];
  const body = new URLSearchParams(fields).toString();
  const { status } = await visit(server, path, { method: 'POST', body });
  const wrote = [main, clicks].map((connection, index) => changesOf(connection) > (before[index] ?? 0));
  return { status, main: wrote[0], clicks: wrote[1] };
}

describe("visitors' input is on the disk before they are thanked", () => {
  const content = { title: 'News', button: 'Go' };

  test('the address for a newsletter', async () => {
    const id = await add('/api/overlay/add', { name: 'News', type: 'newsletter', content });
    expect(await send(`/o/${id}`, { answer: 'dana@example.com' })).toEqual({
      status: 200,
      main: true,
      clicks: false,
    });
    const answers = server.databases.main.prepare('SELECT value FROM overlay_answers').pluck().all();
    expect(answers).toEqual(['dana@example.com']);
  });

  test('the response to a poll', async () => {
    const poll = { question: 'Which?', answers: ['one', 'two'] };
    const id = await add('/api/overlay/add', { name: 'Poll', type: 'poll', content: poll });
    expect(await send(`/o/${id}`, { answer: 'one' })).toEqual({ status: 200, main: true, clicks: false });
    await send(`/o/${id}`, { answer: 'two' });
    const wrote = server.databases.main.prepare('SELECT count(*) FROM overlay_answers WHERE overlay_id = ?');
    expect(wrote.pluck().get(id)).toBe(1);
  });

  test('a message of a contact form, with its click', async () => {
    const blocks = [{ type: 'contact', title: 'Write' }];
    const id = await add('/api/bio/add', { name: 'Me', alias: 'me', blocks });
    const message = { name: 'Dana', email: 'dana@example.com', message: 'Hello' };
    expect(await send(`/bio/${id}/1`, message)).toEqual({ status: 200, main: true, clicks: false });
    const page = await server.request('GET', `/api/bio/${id}`);
    expect(page.body.data.clicks).toBe(1);
  });
});

/** The commits in the write-ahead log since it was begun anew: frames that tell the size of the database after them. */
function commitsInLog(): number {
  const log = readFileSync(`${server.databases.file}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameSize <= log.length; at += frameSize) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

/** Sends requests for several paths in one packet, and waits for all of their answers. */
function visitAtOnce(paths: readonly string[]): Promise<string> {
  const heads = paths.map((path, index) => {
    const last = index === paths.length - 1 ? 'Connection: close\r\n' : '';
    return `GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nUser-Agent: ${browsers.windows}\r\n${last}\r\n`;
  });
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(heads.join('')));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('what visits count beside clicks is committed with them', () => {
  test('views of bio pages, clicks on their blocks and turns of a rotator, all of them and in order', async () => {
    const blocks = [{ type: 'link', title: 'Shop', url: 'https://shop.example.com/' }];
    const bio = await add('/api/bio/add', { name: 'Shop', alias: 'shop', blocks });
    const campaign = (await server.request('POST', '/api/campaign/add', { body: { name: 'Turn' } })).body;
    const links: number[] = [];
    for (const path of ['1', '2', '3']) {
      links.push(await add('/api/url/add', { url: `https://example.com/${path}`, campaign: campaign.id }));
    }
    const all = 30;
    const paths = ['/shop', `/bio/${bio}/1`, `/r/${campaign.data.slug}`];
    const found = await Promise.all(
      Array.from({ length: all }, (_, index) => visit(server, paths[index % 3] ?? '')),
    );
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200, 302]));
    const page = (await server.request('GET', `/api/bio/${bio}`)).body.data;
    expect([page.views, page.clicks]).toEqual([10, 10]);
    const turns = found.flatMap(({ location }) => location?.match(/example\.com\/(\d)$/)?.[1] ?? []).sort();
    // Ten turns of three links are four, three and three, also where several came in one moment.
    expect(turns.join('')).toBe('1111222333');
    const views = await server.request('GET', `/api/campaign/${campaign.id}`);
    expect(views.body.data.campaign.views).toBe(10);
  });

  test('many at one moment are one commit', async () => {
    // A rotator without links: nothing is clicked, so nothing is counted a moment later.
    const blocks = [{ type: 'link', title: 'Shop', url: 'https://shop.example.com/' }];
    const bio = await add('/api/bio/add', { name: 'One', alias: 'one', blocks });
    const { slug } = (await server.request('POST', '/api/campaign/add', { body: { name: 'Empty' } })).body
      .data;
    await visit(server, '/one');
    server.databases.main.pragma('wal_checkpoint(TRUNCATE)');
    await visit(server, '/one');
    const before = commitsInLog();
    const answers = await visitAtOnce(['/one', `/bio/${bio}/1`, `/r/${slug}`, '/one', `/bio/${bio}/1`]);
    expect(answers.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3))).toEqual([
      '200',
      '302',
      '404',
      '200',
      '302',
    ]);
    expect(commitsInLog() - before).toBe(1);
    const page = (await server.request('GET', `/api/bio/${bio}`)).body.data;
    expect([page.views, page.clicks]).toEqual([4, 2]);
  });
});
