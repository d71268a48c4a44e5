import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { csvOf } from '../../../server/platform/text/csv.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { chunks } from '../../support/chunks.ts';
import { anotherName } from '../../support/names.ts';
import { type PictureNetwork, pictureNetwork } from '../../support/picture-network.ts';
import { secondAccount } from '../../support/second-account.ts';
import { tapStatements } from '../../support/tapped-statements.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let network: PictureNetwork;
beforeAll(async () => {
  network = await pictureNetwork(900);
  server = await startApp(network);
});
beforeEach(() => {
  network.fetched.length = 0;
  server.clock.advance(60_000);
});
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body: unknown) => server.request('POST', path, { body });
const message = { type: 'message', content: { text: 'Hello' } };

async function make(resource: 'overlay' | 'splash', body: Record<string, unknown>): Promise<number> {
  const reply = await post(`/api/${resource}/add`, body);
  expect(reply.status).toBe(200);
  return reply.body.id;
}
const link = async (type: string) =>
  (await post('/api/url/add', { url: 'https://example.com/', type })).body.id as number;

describe('the lists of overlays and splash pages', () => {
  test('show how many links use each one, except links in the trash', async () => {
    const overlay = await make('overlay', { name: 'Used', ...message });
    const splash = await make('splash', { name: 'Used' });
    for (const type of [`overlay-${overlay}`, String(splash)]) {
      await link(type);
      await server.request('DELETE', `/api/url/${await link(type)}/delete`);
    }
    expect((await get(`/api/overlay/${overlay}`)).body.data.links).toBe(1);
    expect((await get(`/api/splash/${splash}`)).body.data.links).toBe(1);
    const used = await get(`/api/urls?type=overlay-${overlay}`);
    expect(used.body.data.result).toBe(1);
    expect((await get(`/api/urls?type=${splash}`)).body.data.result).toBe(1);
    expect((await get('/api/urls?type=direct')).body.data.result).toBe(0);
  });

  test('find parts of names in any case, wildcards literally, and one type', async () => {
    await make('overlay', { name: 'Über 100 %', ...message });
    await make('overlay', { name: 'über alles', type: 'coupon', content: { text: 'x', code: 'y' } });
    await make('splash', { name: 'Launch', title: 'ÜBER us' });
    const names = async (path: string, key: string) =>
      (await get(path)).body.data[key].map((row: { name: string }) => row.name);
    const search = encodeURIComponent('ÜBER');
    expect(await names(`/api/overlay?q=${search}`, 'cta')).toEqual(['über alles', 'Über 100 %']);
    expect(await names(`/api/overlay?q=${search}&type=coupon`, 'cta')).toEqual(['über alles']);
    expect(await names(`/api/overlay?q=${encodeURIComponent('0 %')}`, 'cta')).toEqual(['Über 100 %']);
    expect(await names(`/api/splash?q=${search}`, 'splash')).toEqual(['Launch']);
    expect((await get('/api/overlay?q=a')).status).toBe(400);
    expect((await get('/api/overlay?type=popup')).status).toBe(400);
  });
});

describe('responses to an overlay', () => {
  test('are paged and exported with formulas disarmed', async () => {
    const id = await make('overlay', {
      name: 'Poll',
      type: 'poll',
      content: { question: 'Which?', answers: ['=1+1', 'a "quoted", one', 'third'] },
    });
    for (const [index, answer] of ['=1+1', 'a "quoted", one', '=1+1'].entries()) {
      server.clock.advance(1000);
      const sent = await visit(server, `/o/${id}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': `Firefox/${index}` },
        body: new URLSearchParams({ answer, back: '/' }).toString(),
      });
      expect(sent.status).toBe(200);
    }
    expect((await get(`/api/overlay/${id}`)).body.data.answers).toBe(3);
    const page = await get(`/api/overlay/${id}/answers?limit=1&page=2`);
    expect(page.body.data).toMatchObject({
      result: 2,
      perpage: 1,
      currentpage: 2,
      nextpage: null,
      maxpage: 2,
    });
    expect(page.body.data.answers).toHaveLength(1);

    const { filename, content } = (await get(`/api/overlay/${id}/export`)).body.data;
    expect(filename).toBe(`overlay-${id}-answers.csv`);
    const [header, ...lines] = content.trimEnd().split('\r\n');
    expect(header).toBe('answer,date');
    expect(lines).toEqual([
      expect.stringMatching(/^'=1\+1,2027-01-15 \d\d:\d\d:\d\d$/),
      expect.stringMatching(/^"a ""quoted"", one",2027-/),
      expect.stringMatching(/^'=1\+1,2027-/),
    ]);
  });

  test('are never counted or exported on the thread that answers redirects', async () => {
    const tapped = tapStatements();
    const own = await startApp();
    const add = async (kind: string, body: object) =>
      (await own.request('POST', `/api/${kind}/add`, { body })).body.id;
    const paths = [
      `/api/overlay/${await add('overlay', { name: 'Counted', ...message })}`,
      `/api/splash/${await add('splash', { name: 'Counted', title: 'Wait' })}`,
    ];
    tapped.takeOnThisThread();
    for (const path of paths) {
      expect((await own.request('GET', path)).body.data).toMatchObject({ links: 0 });
      expect((await own.request('DELETE', `${path}/delete`)).status).toBe(200);
      expect((await own.request('POST', `${path}/restore`)).status).toBe(200);
    }
    expect((await own.request('GET', `${paths[0]}/export`)).body.data.content).toBe('answer,date\r\n');
    const counting = [...tapped.takeOnThisThread()].filter(
      (sql) => /count\(\*\)/.test(sql) && /FROM (links|overlay_answers|overlay_past_votes)\b/.test(sql),
    );
    expect(counting).toEqual([]);
    tapped.stop();
    await own.close();
  });

  test('are exported a few at a time, however many there are', async () => {
    const id = await make('overlay', { name: 'Much asked', ...message });
    server.databases.main.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO overlay_answers (overlay_id, sender, value, at) SELECT ${id}, 's' || i, 'answer ' || i, i FROM n`,
    );
    const pieces = await chunks(server.port, `/api/overlay/${id}/export`, server.key);
    expect(Math.max(...pieces.map((piece) => piece.split('answer ').length - 1))).toBe(100);
    const lines = JSON.parse(pieces.join('')).data.content.trimEnd().split('\r\n');
    expect(lines.slice(1).map((line: string) => line.split(',')[0])).toEqual(
      Array.from({ length: 1000 }, (_, index) => `answer ${index + 1}`),
    );
  });

  test('are visible to their owner only', async () => {
    const id = await make('overlay', { name: 'Mine', ...message });
    const other = secondAccount(server, 'curious', 2);
    for (const path of ['answers', 'export']) {
      expect((await other.request('GET', `/api/overlay/${id}/${path}`)).status).toBe(404);
    }
  });

  test.each(['=1', '+1', '-1', '@a', '\t=1', '  =1', '\r\n=1'])(
    '%j is not a formula in a CSV file',
    (cell) => {
      expect(csvOf(['a'], [[cell]])).toMatch(/^a\r\n"?'/);
    },
  );

  test('numbers and plain words are unchanged in a CSV file', () => {
    expect(csvOf(['a', 'b'], [['me@example.com', -5]])).toBe('a,b\r\nme@example.com,-5\r\n');
  });
});

describe('POST /api/overlay/preview', () => {
  test('shows the real page with a placeholder for its destination, and stores nothing', async () => {
    const before = (await get('/api/overlay')).body.data.result;
    const reply = await post('/api/overlay/preview', {
      ...message,
      content: { text: '<script>alert(1)</script>' },
      position: 'topleft',
      colors: { background: '#123456' },
    });
    expect(reply.status).toBe(200);
    const { html, problems } = reply.body.data;
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script|<iframe/);
    expect(html).toContain('top:60px;left:16px');
    expect(html).toContain('background:#123456');
    expect(problems).toEqual([]);
    expect((await get('/api/overlay')).body.data.result).toBe(before);
  });

  test('embeds its picture, small, and fetches it once', async () => {
    const body = { type: 'image', content: { image: 'https://img.example.com/a.png' } };
    const { html, problems } = (await post('/api/overlay/preview', body)).body.data;
    const [, data = ''] = /<img src="data:image\/png;base64,([^"]+)"/.exec(html) ?? [];
    expect((await sharp(Buffer.from(data, 'base64')).metadata()).width).toBe(640);
    expect(problems).toEqual([]);
    await post('/api/overlay/preview', body);
    expect(network.fetched).toEqual(['https://img.example.com/a.png']);
    expect(server.databases.main.prepare('SELECT count(*) FROM page_pictures').pluck().get()).toBe(0);
  });

  test('is shown without an unavailable picture, with the reason', async () => {
    const body = { type: 'image', content: { image: 'https://img.example.com/missing.png' } };
    const { html, problems } = (await post('/api/overlay/preview', body)).body.data;
    expect(html).not.toContain('<img');
    expect(problems).toEqual([
      { field: 'content.image', code: 'unreachable_url', message: 'It could not be fetched.' },
    ]);
    await post('/api/overlay/preview', body);
    expect(network.fetched).toHaveLength(1);
    server.clock.advance(31_000);
    await post('/api/overlay/preview', body);
    expect(network.fetched).toHaveLength(2);
  });

  test('accepts a picture before its URL', async () => {
    const reply = await post('/api/overlay/preview', { type: 'image', content: { image: '' } });
    expect([reply.status, reply.body.data.problems]).toEqual([200, []]);
  });

  test('refuses what could not be saved either', async () => {
    for (const [fields, field] of [
      [{ content: { text: '' } }, 'content.text'],
      [{ content: { text: 'x', link: 'javascript:alert(1)' } }, 'content.link'],
      [{ colors: { text: 'red}' } }, 'colors.text'],
    ] as const) {
      const reply = await post('/api/overlay/preview', { ...message, ...fields });
      expect([reply.status, reply.body.field]).toEqual([400, field]);
    }
  });
});

describe('POST /api/splash/preview', () => {
  test('shows the real page with embedded pictures', async () => {
    const reply = await post('/api/splash/preview', {
      title: '"><img src=x onerror=alert(1)>',
      message: 'Wait a little',
      avatar: 'https://img.example.com/face.png',
      banner: 'https://img.example.com/missing.png',
      counter: 7,
    });
    const { html, problems } = reply.body.data;
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('Wait a little');
    // In its frame it stays where it is.
    expect(html).not.toContain('http-equiv="refresh"');
    expect(html.match(/<img [^>]*src="data:image\/png;base64,/g)).toHaveLength(1);
    expect(problems).toMatchObject([{ field: 'banner' }]);
  });

  test('needs nothing at all', async () => {
    expect((await post('/api/splash/preview', {})).body.data.html).toContain('www.example.com');
  });

  test('uses the chosen language or the browser’s, as do the others', async () => {
    const person = secondAccount(server, anotherName('speaks'), 2);
    const shown = async (headers: Record<string, string>) => {
      const bodies = { splash: {}, overlay: message, bio: { name: 'Me' } };
      const languages = Object.entries(bodies).map(async ([kind, body]) => {
        const reply = await person.request('POST', `/api/${kind}/preview`, { body, headers });
        return /<html lang="([^"]+)"/.exec(reply.body.data.html)?.[1];
      });
      return await Promise.all(languages);
    };
    expect(await shown({})).toEqual(['en', 'en', 'en']);
    expect(await shown({ 'Accept-Language': 'de-AT,en;q=0.5' })).toEqual(['de', 'de', 'de']);
    await person.request('PUT', '/api/account/update', { body: { language: 'ar' } });
    expect(await shown({ 'Accept-Language': 'de' })).toEqual(['ar', 'ar', 'ar']);
  });

  test('is for plans with splash pages', async () => {
    const free = secondAccount(server, 'no-splash', 1);
    for (const [path, body] of [
      ['splash', {}],
      ['overlay', message],
    ] as const) {
      const reply = await free.request('POST', `/api/${path}/preview`, { body });
      expect([reply.status, reply.body.field]).toEqual([403, path]);
    }
  });
});
