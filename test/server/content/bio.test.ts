import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { type PictureNetwork, pictureNetwork } from '../../support/picture-network.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';

let server: TestApp;
let bert: SecondAccount;
let userId: number;
let network: PictureNetwork;

beforeAll(async () => {
  network = await pictureNetwork();
  server = await startApp(network);
  bert = secondAccount(server);
  userId = (await get('/api/account')).body.data.id;
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body: unknown) => server.request('POST', path, { body });
const put = (path: string, body: unknown) => server.request('PUT', path, { body });
const remove = (path: string) => server.request('DELETE', path);
const add = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const reply = await post('/api/bio/add', { name: 'A page', ...fields });
  expect([reply.status, reply.body.message]).toEqual([200, 'The bio page was created.']);
  return reply.body.id;
};
const read = async (id: number) => (await get(`/api/bio/${id}`)).body.data;

/** One block of each type that needs nothing else, as it is sent. */
const blocks = [
  { type: 'link', title: 'My shop', url: 'https://shop.example.com', description: 'Open day and night' },
  { type: 'heading', text: 'More' },
  { type: 'text', text: 'Two lines\r\nof text' },
  { type: 'image', image: 'https://img.example.com/a.png', alt: 'A blue square', url: null },
  { type: 'divider' },
  {
    type: 'socials',
    items: [
      { network: 'instagram', url: 'https://instagram.com/anna' },
      { network: 'email', url: 'anna@example.com' },
    ],
  },
  { type: 'vcard', name: 'Anna Berg', phone: '+49 30 1234', email: 'anna@example.com' },
  { type: 'video', title: 'A film', url: 'https://youtu.be/dQw4w9WgXcQ' },
  { type: 'contact', title: 'Write to me', button: 'Off you go' },
];

describe('a bio page', () => {
  test('is created with its address, read, updated in part and deleted', async () => {
    const reply = await post('/api/bio/add', { name: 'Anna', alias: 'anna', title: 'Anna Berg', blocks });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        error: 0,
        id: expect.any(Number),
        link: `${server.origin}/anna`,
        message: 'The bio page was created.',
      },
    ]);
    const { id } = reply.body;
    const page = await read(id);
    expect(page).toMatchObject({
      id,
      name: 'Anna',
      title: 'Anna Berg',
      alias: 'anna',
      link: `${server.origin}/anna`,
      domain: server.origin,
      description: null,
      avatar: null,
      picture: null,
      theme: 'plain',
      colors: {},
      shape: null,
      font: null,
      views: 0,
      uniqueviews: 0,
      clicks: 0,
      frontof: [],
    });
    expect(page.date).toMatch(/^2027-01-15 \d\d:\d\d:\d\d$/);
    expect(
      page.blocks.map(({ id: block, type, enabled, clicks }: Record<string, unknown>) => [
        block,
        type,
        enabled,
        clicks,
      ]),
    ).toEqual(blocks.map(({ type }, index) => [index + 1, type, true, 0]));
    expect(page.blocks[0]).toEqual({
      id: 1,
      type: 'link',
      enabled: true,
      clicks: 0,
      title: 'My shop',
      url: 'https://shop.example.com/',
      description: 'Open day and night',
      image: null,
      link: null,
    });
    expect(page.blocks[2].text).toBe('Two lines\nof text');
    expect(page.blocks[5].items[1]).toEqual({ network: 'email', url: 'mailto:anna@example.com' });

    const changed = await put(`/api/bio/${id}/update`, { title: 'Somebody else', theme: 'ocean' });
    expect([changed.status, changed.body.message]).toEqual([200, 'The bio page was updated.']);
    expect(changed.body.data).toMatchObject({ name: 'Anna', title: 'Somebody else', theme: 'ocean' });
    expect(changed.body.data.blocks).toEqual(page.blocks);
    expect((await remove(`/api/bio/${id}/delete`)).body).toEqual({
      error: 0,
      message: 'The bio page was deleted.',
    });
    expect((await get(`/api/bio/${id}`)).status).toBe(404);
    expect((await remove(`/api/bio/${id}/delete`)).status).toBe(404);
  });

  test('is listed newest first under the key bios, and searched by name, title and alias', async () => {
    const first = await add({ name: 'Listed one', alias: 'Zebra' });
    const second = await add({ name: 'Listed two', title: 'ÄPFEL' });
    const { body } = await get('/api/bio?limit=2');
    expect(body.data.bios.map(({ id }: { id: number }) => id)).toEqual([second, first]);
    expect(Object.keys(body.data.bios[0]).sort()).toEqual(
      [
        'alias',
        'clicks',
        'date',
        'domain',
        'id',
        'link',
        'name',
        'picture',
        'title',
        'uniqueviews',
        'version',
        'views',
      ].sort(),
    );
    const ids = async (q: string) =>
      (await get(`/api/bio?q=${encodeURIComponent(q)}`)).body.data.bios.map(({ id }: { id: number }) => id);
    expect(await ids('zebra')).toEqual([first]);
    expect(await ids('äpfel')).toEqual([second]);
    expect((await get('/api/bio?q=x')).status).toBe(400);
  });

  test('gets a random alias of six characters, and keeps it', async () => {
    const id = await add();
    const { alias } = await read(id);
    expect(alias).toMatch(/^[2-9a-zA-Z]{6}$/);
    await put(`/api/bio/${id}/update`, { alias: null, name: 'Other' });
    await put(`/api/bio/${id}/update`, { alias: '' });
    expect((await read(id)).alias).toBe(alias);
  });

  test('no longer shows a deleted file, and can be saved as it is read', async () => {
    const upload = async () =>
      (await server.request('POST', '/api/files/upload/list.pdf', { rawBody: 'content' })).body.id;
    const [gone, stays] = [await upload(), await upload()];
    const shown = [
      { type: 'file', file: gone },
      { type: 'text', text: 'Hello' },
      { type: 'file', file: stays },
    ];
    const [id, thrown] = [await add({ blocks: shown }), await add({ blocks: shown })];
    expect((await remove(`/api/bio/${thrown}/delete`)).status).toBe(200);
    expect((await remove(`/api/file/${gone}/delete`)).status).toBe(200);
    expect((await post(`/api/bio/${thrown}/restore`, {})).status).toBe(200);
    for (const page of [id, thrown]) {
      const { blocks: left } = await read(page);
      expect(left.map(({ type, file }: { type: string; file?: number }) => file ?? type)).toEqual([
        'text',
        stays,
      ]);
      expect((await put(`/api/bio/${page}/update`, { blocks: left })).status).toBe(200);
    }
  });

  test('shares its namespace with links and files, per domain', async () => {
    const domain = addDomain(server, 'names.example.com', userId);
    await post('/api/url/add', { url: 'https://example.com/', custom: 'shared' });
    const taken = await post('/api/bio/add', { name: 'Taken', alias: 'shared' });
    expect([taken.status, taken.body.code, taken.body.field]).toEqual([400, 'alias_taken', 'alias']);
    const id = await add({ alias: 'shared', domain });
    expect(await read(id)).toMatchObject({
      link: 'https://names.example.com/shared',
      domain: 'https://names.example.com',
    });
    const back = await put(`/api/bio/${id}/update`, { domain: null });
    expect([back.status, back.body.code]).toEqual([400, 'alias_taken']);
    const link = await post('/api/url/add', { url: 'https://example.com/', custom: 'shared', domain });
    expect([link.status, link.body.code]).toEqual([400, 'alias_taken']);
    await put(`/api/bio/${id}/update`, { alias: 'moved' });
    expect(
      (await post('/api/url/add', { url: 'https://example.com/', custom: 'shared', domain })).status,
    ).toBe(200);
  });

  test.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ alias: 'a b' }, 'alias'],
    [{ alias: 'admin' }, 'alias'],
    [{ domain: 'nobody.example.com' }, 'domain'],
    [{ title: 'x\ny' }, 'title'],
    [{ theme: 'neon' }, 'theme'],
    [{ shape: 'star' }, 'shape'],
    [{ font: 'Comic' }, 'font'],
    [{ colors: { text: 'red' } }, 'colors.text'],
    [{ colors: { background: '#fff;}' } }, 'colors.background'],
    [{ colors: { background: '#777', text: '#888' } }, 'colors.text'],
    [{ theme: 'ink', colors: { button: '#FFFFFF' } }, 'colors.buttontext'],
    [{ theme: 'ocean', colors: { text: '#3A7CA5' } }, 'colors.text'],
    [{ avatar: 'javascript:alert(1)' }, 'avatar'],
    [{ avatar: 'https://img.example.com/missing.png' }, 'avatar'],
    [{ blocks: {} }, 'blocks'],
    [{ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }, 'blocks'],
    [{ blocks: [{ type: 'divider' }, { type: 'html', html: '<b>' }] }, 'blocks.1.type'],
    [{ blocks: [{ type: 'link', title: 'No address' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: '', url: 'https://example.com' }] }, 'blocks.0.title'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'javascript:alert(1)' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'data:text/html,x' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'https://a:b@example.com' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'mailto:nobody' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'mailto:a@b.c"><script>' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'link', title: 'x', url: 'tel:javascript' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'text', text: 'x'.repeat(2001) }] }, 'blocks.0.text'],
    [{ blocks: [{ type: 'image', image: 'https://img.example.com/missing.png' }] }, 'blocks.0.image'],
    [{ blocks: [{ type: 'socials', items: [] }] }, 'blocks.0.items'],
    [
      { blocks: [{ type: 'socials', items: [{ network: 'orkut', url: 'https://a.b' }] }] },
      'blocks.0.items.0.network',
    ],
    [{ blocks: [{ type: 'socials', items: [{ network: 'x', url: 'vbscript:x' }] }] }, 'blocks.0.items.0.url'],
    [{ blocks: [{ type: 'vcard', name: 'x', email: 'nobody' }] }, 'blocks.0.email'],
    [{ blocks: [{ type: 'video', title: 'x', url: 'mailto:a@b.de' }] }, 'blocks.0.url'],
    [{ blocks: [{ type: 'file', file: 99_999 }] }, 'blocks.0.file'],
    [{ blocks: [{ type: 'contact', title: 'x', enabled: 'yes' }] }, 'blocks.0.enabled'],
  ])('refuses %j and names %s, on add and on update', async (fields, field) => {
    const before = (await get('/api/bio')).body.data.result;
    const added = await post('/api/bio/add', { name: 'Name', ...fields });
    expect([added.status, added.body.error, added.body.field]).toEqual([400, 1, field]);
    expect((await get('/api/bio')).body.data.result).toBe(before);
    if ('name' in fields && fields.name === undefined) return;
    const id = await add();
    const page = await read(id);
    expect((await put(`/api/bio/${id}/update`, fields)).body.field).toBe(field);
    expect(await read(id)).toEqual(page);
  });

  test('warns about unreadable text', async () => {
    const reply = await post('/api/bio/add', {
      name: 'x',
      colors: { background: '#FFFFFF', text: '#9A9A9A' },
    });
    expect([reply.status, reply.body.code]).toEqual([400, 'low_contrast']);
    const id = await add({
      colors: { background: '#fff', text: '#222', button: '#1d4ed8', buttontext: '#fff' },
    });
    expect((await read(id)).colors).toEqual({
      background: '#FFFFFF',
      text: '#222222',
      button: '#1D4ED8',
      buttontext: '#FFFFFF',
    });
    await put(`/api/bio/${id}/update`, { colors: null, theme: null });
    expect(await read(id)).toMatchObject({ colors: {}, theme: 'plain' });
  });

  test('stores pictures here, and removes unused ones', async () => {
    const avatar = 'https://img.example.com/me.png';
    const id = await add({ avatar, blocks: [{ type: 'image', image: 'https://img.example.com/b.png' }] });
    const { picture } = await read(id);
    expect(picture).toMatch(/^\/img\/[0-9a-f]{32}$/);
    expect((await get(picture)).headers.get('content-type')).toBe('image/png');
    const before = network.fetched.length;
    await put(`/api/bio/${id}/update`, { avatar, title: 'The same picture' });
    expect(network.fetched).toHaveLength(before);
    await put(`/api/bio/${id}/update`, { avatar: null });
    expect((await get(picture)).status).toBe(404);
    expect((await read(id)).picture).toBe(null);
    await remove(`/api/bio/${id}/delete`);
    const { main } = server.databases;
    const shown = main.prepare('SELECT url FROM page_pictures WHERE shown = 1').pluck().all();
    expect(shown).not.toContain('https://img.example.com/b.png');
  });

  test('shows the still image of a video without a picture', async () => {
    const id = await add({
      blocks: [
        { type: 'video', title: 'Tube', url: 'https://www.youtube.com/watch?v=abcdefghijk&t=3' },
        { type: 'video', title: 'Elsewhere', url: 'https://videos.example.com/1' },
        {
          type: 'video',
          title: 'Own',
          url: 'https://youtu.be/abcdefghijk',
          image: 'https://img.example.com/p.png',
        },
        { type: 'video', title: 'Not there', url: 'https://youtu.be/missing1234' },
      ],
    });
    expect((await read(id)).blocks.map(({ image }: { image: string | null }) => image)).toEqual([
      'https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg',
      null,
      'https://img.example.com/p.png',
      null,
    ]);
  });

  test("recognizes the owner's short links among URLs, even after they move", async () => {
    const link = (await post('/api/url/add', { url: 'https://example.com/far', custom: 'near' })).body;
    const foreign = (await bert.request('POST', '/api/url/add', { body: { url: 'https://example.com/b' } }))
      .body;
    const id = await add({
      blocks: [
        { type: 'link', title: 'Mine', url: link.shorturl },
        { type: 'link', title: 'Not mine', url: foreign.shorturl },
      ],
    });
    expect((await read(id)).blocks).toMatchObject([
      { url: link.shorturl, link: link.id },
      { url: foreign.shorturl, link: null },
    ]);
    await put(`/api/url/${link.id}/update`, { custom: 'nearer' });
    expect((await read(id)).blocks[0].url).toBe(`${server.origin}/nearer`);
  });

  test('keeps the ids of its blocks when sorted, and never reuses one', async () => {
    const id = await add({
      blocks: [
        { type: 'heading', text: 'A' },
        { type: 'heading', text: 'B' },
      ],
    });
    const [a, b] = (await read(id)).blocks;
    await put(`/api/bio/${id}/update`, { blocks: [b, { type: 'divider' }, a] });
    expect((await read(id)).blocks.map((block: { id: number }) => block.id)).toEqual([2, 3, 1]);
    await put(`/api/bio/${id}/update`, { blocks: [a, { ...a, text: 'Twice' }, { type: 'divider', id: 77 }] });
    expect((await read(id)).blocks.map((block: { id: number }) => block.id)).toEqual([1, 4, 5]);
    await put(`/api/bio/${id}/update`, { blocks: [b] });
    expect((await read(id)).blocks).toEqual([b]);
  });

  test('requires a plan with bio pages, whether they exist or not', async () => {
    const free = secondAccount(server, 'free', 1);
    for (const [method, path] of [
      ['POST', '/api/bio/add'],
      ['POST', '/api/bio/preview'],
    ] as const) {
      const reply = await free.request(method, path, { body: { name: 'x', alias: 'x' } });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', 'bio']);
    }
    const limited = secondAccount(server, 'limited', 1);
    server.databases.main
      .prepare(
        `UPDATE plans SET features = json_set(features, '$.bio', json('{"enabled":true,"count":1}')) WHERE id = 1`,
      )
      .run();
    const alias = await limited.request('POST', '/api/bio/add', { body: { name: 'x', alias: 'own' } });
    expect([alias.status, alias.body.field]).toEqual([403, 'alias']);
    const first = await limited.request('POST', '/api/bio/add', { body: { name: 'x' } });
    expect(first.status).toBe(200);
    const second = await limited.request('POST', '/api/bio/add', { body: { name: 'y' } });
    expect([second.status, second.body.field]).toEqual([403, 'bio']);
    const change = await limited.request('PUT', `/api/bio/${first.body.id}/update`, { body: { name: 'z' } });
    expect(change.status).toBe(200);
  });

  test('can be in channels, with its name and address, until it is deleted', async () => {
    const id = await add({ name: 'In a channel', title: 'For visitors', alias: 'inchannel' });
    const channel = (await post('/api/channel/add', { name: 'Bios' })).body.id;
    expect((await post(`/api/channel/${channel}/assign/bio/${id}`, {})).status).toBe(200);
    expect((await get(`/api/channel/${channel}`)).body.data.items).toEqual([
      {
        type: 'bio',
        id,
        title: 'In a channel',
        preview: 'For visitors',
        link: `${server.origin}/inchannel`,
        date: expect.any(String),
      },
    ]);
    await remove(`/api/bio/${id}/delete`);
    expect((await get(`/api/channel/${channel}`)).body.data).toMatchObject({ result: 0, items: [] });
  });
});

describe('the preview of a draft', () => {
  const draw = async (draft: unknown): Promise<string> => {
    const reply = await post('/api/bio/preview', draft);
    expect(reply.status).toBe(200);
    return reply.body.data.html;
  };

  test('is the page with embedded pictures and no working links', async () => {
    const html = await draw({
      name: 'Draft',
      title: 'My draft',
      avatar: 'https://img.example.com/x.png',
      blocks,
    });
    expect(html).toContain('<h1 dir="auto">My draft</h1>');
    expect(html).toContain('My shop');
    expect(html).toContain('src="data:image/png;base64,');
    expect(html).toContain('<main inert>');
    expect(html).not.toMatch(/\s(href|action)="/);
    expect(html).not.toContain('<script');
  });

  test('omits what is incomplete, and stores no page', async () => {
    const before = (await get('/api/bio')).body.data.result;
    const html = await draw({
      title: '',
      name: 'Only a name',
      avatar: 'https://not complete',
      theme: 'no such theme',
      blocks: [
        { type: 'link', title: 'No address yet', url: '' },
        { type: 'link', title: 'Switched off', url: 'https://example.com', enabled: false },
        { type: 'heading', text: 'Complete' },
        { type: 'image', image: 'https://img.example.com/missing.png' },
        { nonsense: true },
      ],
    });
    expect(html).toContain('Only a name');
    expect(html).toContain('Complete');
    expect(html).not.toContain('No address yet');
    expect(html).not.toContain('Switched off');
    expect((await get('/api/bio')).body.data.result).toBe(before);
  });

  test('requests an unavailable picture once, not with every keystroke', async () => {
    const draft = { avatar: 'https://img.example.com/missing-me.png' };
    await draw(draft);
    await draw({ ...draft, title: 'A' });
    const asked = () => network.fetched.filter((url) => url.includes('missing-me')).length;
    expect(asked()).toBe(1);
    server.clock.advance(60_000);
    await draw(draft);
    expect(asked()).toBe(2);
  });

  test('does not fill the disk with unused pictures', async () => {
    const carl = secondAccount(server, 'carl');
    const add = server.databases.main.prepare(
      "INSERT INTO page_pictures (user_id, url, token, type, body) VALUES (?, ?, ?, 'image/png', x'00')",
    );
    for (let index = 0; index < 1000; index += 1)
      add.run(carl.id, `https://img.example.com/${index}`, `t${index}`);
    const draft = { avatar: 'https://img.example.com/one-more.png' };
    expect((await carl.request('POST', '/api/bio/preview', { body: draft })).status).toBe(200);
    const count = server.databases.main
      .prepare('SELECT count(*) FROM page_pictures WHERE user_id = ?')
      .pluck();
    expect(count.get(carl.id)).toBe(1);
  });

  test('marks the block being edited', async () => {
    const html = await draw({
      blocks: [
        { type: 'heading', text: 'One' },
        { type: 'heading', text: 'Two' },
      ],
      focus: 1,
    });
    expect(html).toMatch(/<div class="here"><h2 dir="auto">Two/);
  });
});
