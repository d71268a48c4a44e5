import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type PictureNetwork, pictureNetwork } from '../support/picture-network.ts';
import { secondAccount } from '../support/second-account.ts';

let server: TestApp;
let network: PictureNetwork;
beforeAll(async () => {
  network = await pictureNetwork(20);
  server = await startApp(network);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body: unknown) => server.request('POST', path, { body });
const put = (path: string, body: unknown) => server.request('PUT', path, { body });
const remove = (path: string) => server.request('DELETE', path);
const addLink = async (fields: Record<string, unknown>) =>
  post('/api/url/add', { url: 'https://example.com/', ...fields });

const contents = {
  message: { text: 'Hello', label: 'More', link: 'https://example.com/more' },
  contact: { title: 'Write to us', button: 'Write', email: 'us@example.com' },
  newsletter: { title: 'Our letter', button: 'Subscribe' },
  poll: { question: 'Tea or coffee?', answers: ['Tea', 'Coffee'] },
  coupon: { text: '10 % off', code: 'TEN' },
  image: { image: 'https://img.example.com/a.png', link: null },
};

describe('a CTA overlay', () => {
  test.each(Object.entries(contents))('of type %s keeps its content', async (type, content) => {
    const made = await post('/api/overlay/add', { name: `A ${type}`, type, content });
    expect([made.status, made.body]).toEqual([
      200,
      { error: 0, id: expect.any(Number), message: 'The overlay was created.' },
    ]);
    expect((await get(`/api/overlay/${made.body.id}`)).body).toEqual({
      error: 0,
      data: {
        id: made.body.id,
        type,
        name: `A ${type}`,
        date: expect.stringMatching(/^2027-01-15 12:\d\d:00$/),
        // Ours, like these two.
        version: 1,
        links: 0,
        answers: 0,
        position: 'bottomright',
        colors: { background: '#FFFFFF', text: '#15181E', button: '#2563EB', buttontext: '#FFFFFF' },
        content,
        limitreached: null,
      },
    });
  });

  test('is listed with id, type, name and date, newest first, under the key cta', async () => {
    const { body } = await get('/api/overlay?limit=1');
    expect(body.data).toEqual({
      result: 6,
      perpage: 1,
      currentpage: 1,
      nextpage: 2,
      maxpage: 6,
      // `links`, `answers` and `version` are ours.
      cta: [
        { id: 6, type: 'image', name: 'A image', date: expect.any(String), links: 0, answers: 0, version: 1 },
      ],
    });
  });

  test('is updated field by field, but its content as a whole', async () => {
    const add = { name: 'Before', type: 'message', content: contents.message, colors: { text: '#abc' } };
    const { id } = (await post('/api/overlay/add', add)).body;
    const path = `/api/overlay/${id}`;
    const reply = await put(`${path}/update`, { name: 'After', colors: { button: '#123' }, position: 'top' });
    expect(reply.body).toEqual({ error: 0, message: 'The overlay was updated.', version: 2 });
    expect((await get(path)).body.data).toMatchObject({
      name: 'After',
      position: 'top',
      colors: { text: '#AABBCC', button: '#112233', background: '#FFFFFF' },
      content: contents.message,
    });
    await put(`${path}/update`, { content: { text: 'Only text' } });
    expect((await get(path)).body.data.content).toEqual({ text: 'Only text' });
    expect((await put(`${path}/update`, { type: 'coupon' })).body.field).toBe('content');
    await put(`${path}/update`, { type: 'coupon', content: contents.coupon });
    expect((await get(path)).body.data).toMatchObject({ type: 'coupon', content: contents.coupon });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ type: 'popup' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ position: 'middle' }, 'position'],
    [{ colors: { text: 'red' } }, 'colors.text'],
    [{ colors: { background: '#fff;}' } }, 'colors.background'],
    [{ content: undefined }, 'content'],
    [{ content: {} }, 'content.text'],
    [{ content: { text: '' } }, 'content.text'],
    [{ content: { text: 'x'.repeat(501) } }, 'content.text'],
    [{ content: { text: 5 } }, 'content.text'],
    [{ content: { text: 'x', link: 'javascript:alert(1)' } }, 'content.link'],
    [{ content: { text: 'x', link: '//example.com' } }, 'content.link'],
    [{ content: { text: 'x', link: 'https://a:b@example.com/' } }, 'content.link'],
    [{ type: 'contact', content: { ...contents.contact, email: 'nobody' } }, 'content.email'],
    [{ type: 'poll', content: { question: 'One?', answers: ['One'] } }, 'content.answers'],
    [{ type: 'poll', content: { question: 'Same?', answers: ['A', 'A'] } }, 'content.answers'],
    [{ type: 'poll', content: { question: 'Many?', answers: [...'abcdefghijk'] } }, 'content.answers'],
    [{ type: 'poll', content: { question: 'Empty?', answers: ['A', ''] } }, 'content.answers.1'],
    [{ type: 'image', content: { image: '' } }, 'content.image'],
    [{ type: 'image', content: { image: 'data:image/png;base64,AAAA' } }, 'content.image'],
    [{ type: 'image', content: { image: 'https://img.example.com/missing.png' } }, 'content.image'],
    [{ type: 'image', content: { image: 'https://img.example.com/text.png' } }, 'content.image'],
  ])('refuses %j and names %s', async (fields, field) => {
    const body = { name: 'Name', type: 'message', content: contents.message, ...fields };
    const reply = await post('/api/overlay/add', body);
    expect([reply.status, reply.body.error, reply.body.field]).toEqual([400, 1, field]);
  });

  test('stores markup as text, and drops fields of other types', async () => {
    const content = { text: '<img src=x onerror=alert(1)>', code: 'not of a message', __proto__: null };
    const { id } = (await post('/api/overlay/add', { name: '<b>', type: 'message', content })).body;
    expect((await get(`/api/overlay/${id}`)).body.data).toMatchObject({
      name: '<b>',
      content: { text: '<img src=x onerror=alert(1)>' },
    });
    expect((await get(`/api/overlay/${id}`)).body.data.content).not.toHaveProperty('code');
  });

  test('can be the type of a link, which redirects directly once it is deleted', async () => {
    const body = { name: 'On links', type: 'message', content: contents.message };
    const { id } = (await post('/api/overlay/add', body)).body;
    const link = (await addLink({ type: `overlay-${id}` })).body.id;
    expect((await get(`/api/url/${link}`)).body.details.type).toBe(`overlay-${id}`);
    expect((await remove(`/api/overlay/${id}/delete`)).body).toEqual({
      error: 0,
      message: 'The overlay was deleted.',
    });
    expect((await get(`/api/url/${link}`)).body.details.type).toBe('direct');
    expect((await remove(`/api/overlay/${id}/delete`)).status).toBe(404);
    expect((await addLink({ type: `overlay-${id}` })).body).toMatchObject({
      code: 'unknown_type',
      field: 'type',
    });
  });
});

describe('a custom splash page', () => {
  const splash = {
    name: 'Launch',
    title: 'New shoes',
    message: 'Look at them',
    product: 'https://shop.example.com/shoes',
    avatar: 'https://img.example.com/face.png',
    banner: 'https://img.example.com/banner.png',
    counter: 20,
  };

  test('is created, read, changed and deleted', async () => {
    const made = await post('/api/splash/add', splash);
    expect([made.status, made.body]).toEqual([
      200,
      { error: 0, id: expect.any(Number), message: 'The splash page was created.' },
    ]);
    const { id } = made.body;
    const date = expect.stringMatching(/^2027-01-15 12:\d\d:00$/);
    expect((await get(`/api/splash/${id}`)).body).toEqual({
      error: 0,
      data: { id, ...splash, date, links: 0, version: 1 },
    });
    expect((await get('/api/splash')).body.data).toEqual({
      result: 1,
      perpage: 15,
      currentpage: 1,
      nextpage: null,
      maxpage: 1,
      // `title`, `links` and `version` are ours.
      splash: [{ id, name: 'Launch', date, title: 'New shoes', links: 0, version: 1 }],
    });
    const change = await put(`/api/splash/${id}/update`, { avatar: null, message: '', counter: 3 });
    expect(change.body).toEqual({ error: 0, message: 'The splash page was updated.', version: 2 });
    expect((await get(`/api/splash/${id}`)).body.data).toEqual({
      id,
      ...splash,
      avatar: null,
      message: null,
      counter: 3,
      date,
      links: 0,
      version: 2,
    });
    expect((await remove(`/api/splash/${id}/delete`)).body).toEqual({
      error: 0,
      message: 'The splash page was deleted.',
    });
    expect((await get(`/api/splash/${id}`)).status).toBe(404);
  });

  test('only requires a name, and waits ten seconds', async () => {
    const { id } = (await post('/api/splash/add', { name: 'Plain' })).body;
    expect((await get(`/api/splash/${id}`)).body.data).toMatchObject({
      title: null,
      banner: null,
      counter: 10,
    });
  });

  test('fetches each picture once and keeps it only as long as a page uses it', async () => {
    network.fetched.length = 0;
    const ids: number[] = [];
    const pictures = { avatar: 'https://img.example.com/a1.png', banner: 'https://img.example.com/b1.png' };
    for (const name of ['One', 'Two']) {
      ids.push((await post('/api/splash/add', { ...splash, ...pictures, name })).body.id);
    }
    expect(network.fetched).toEqual([pictures.avatar, pictures.banner]);
    const count = () =>
      server.databases.main
        .prepare('SELECT count(*) FROM page_pictures WHERE url = ? AND shown = 1')
        .pluck()
        .get(pictures.banner);
    await remove(`/api/splash/${ids[0]}/delete`);
    expect(count()).toBe(1);
    await remove(`/api/splash/${ids[1]}/delete`);
    expect(count()).toBe(0);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ counter: 0 }, 'counter'],
    [{ counter: 61 }, 'counter'],
    [{ counter: '5' }, 'counter'],
    [{ counter: 1.5 }, 'counter'],
    [{ title: 'x'.repeat(121) }, 'title'],
    [{ product: 'javascript:alert(1)' }, 'product'],
    [{ avatar: 'ftp://example.com/a.png' }, 'avatar'],
    [{ banner: 'https://img.example.com/missing.png' }, 'banner'],
  ])('refuses %j and names %s', async (fields, field) => {
    const reply = await post('/api/splash/add', { name: 'Name', ...fields });
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });

  test('can be the type of a link, by its id; the link redirects directly once it is deleted', async () => {
    const { id } = (await post('/api/splash/add', { name: 'On links' })).body;
    const link = (await addLink({ type: id })).body.id;
    expect((await get(`/api/url/${link}`)).body.details.type).toBe(String(id));
    await remove(`/api/splash/${id}/delete`);
    expect((await get(`/api/url/${link}`)).body.details.type).toBe('direct');
  });
});

test('overlays and splash pages require a plan with them, whether they exist or not', async () => {
  const free = secondAccount(server, 'free-pages', 1);
  const message = { name: 'x', type: 'message', content: contents.message };
  for (const [method, path, body, permission] of [
    ['POST', '/api/overlay/add', message, 'overlay'],
    ['PUT', '/api/overlay/999999/update', {}, 'overlay'],
    ['POST', '/api/splash/add', { name: 'x' }, 'splash'],
    ['PUT', '/api/splash/999999/update', {}, 'splash'],
    ['POST', '/api/url/add', { url: 'https://example.com/', type: 'overlay-999999' }, 'overlay'],
    ['POST', '/api/url/add', { url: 'https://example.com/', type: '999999' }, 'splash'],
  ] as const) {
    const reply = await free.request(method, path, { body });
    expect([path, reply.status, reply.body.code, reply.body.field]).toEqual([
      path,
      403,
      'plan_required',
      permission,
    ]);
  }
});
