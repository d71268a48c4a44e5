import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLink,
  deleteLink,
  getLink,
  linkHistory,
  listLinks,
  type NewLink,
  undo,
  updateLink,
} from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const refusal = (status: number, code: string, field?: string) =>
  expect.objectContaining({ status, code, ...(field !== undefined && { field }) });

describe('a link', () => {
  test('gets a random alias of six characters without look-alikes', async () => {
    const { shorturl } = await server.call(addLink, { body: { url: 'https://example.com/' } });
    expect(new URL(shorturl).pathname).toMatch(/^\/[2-9a-hjkmnp-zA-HJKMNP-Z]{6}$/);
  });

  test('shows everything that was set on it', async () => {
    const { id } = await server.call(addLink, {
      body: {
        url: 'HTTPS://Example.com/a b'.replace(' ', '%20'),
        custom: 'everything',
        title: 'Title',
        note: 'Note',
        description: 'Description',
        password: 'secret',
        status: 'private',
        expiry: '2027-03-01',
        notbefore: '2027-01-16 08:00:00',
        clicklimit: 5,
        expirationredirect: 'https://example.com/over',
        geotarget: [{ location: 'Germany', link: 'https://example.de/' }],
        devicetarget: [{ device: 'iphone', link: 'https://example.com/ios' }],
        languagetarget: [{ language: 'de', link: 'https://example.com/de' }],
        abtesting: [{ url: 'https://example.com/b', percentage: 40 }],
        parameters: [{ name: 'ref', value: 'x' }],
        deeplink: { apple: 'https://apps.example/1' },
        metatitle: 'Meta',
        redirect: 307,
        forwardquery: true,
      },
    });
    const { details } = await server.call(getLink, { params: { id } });
    expect(details).toMatchObject({
      alias: 'everything',
      shorturl: `${server.origin}/everything`,
      longurl: 'https://example.com/a%20b',
      title: 'Title',
      note: 'Note',
      description: 'Description',
      protected: true,
      status: 'private',
      state: 'scheduled',
      expiry: '2027-03-01 23:59:59',
      notbefore: '2027-01-16 08:00:00',
      clicklimit: 5,
      expirationredirect: 'https://example.com/over',
      location: { germany: 'https://example.de/' },
      device: { iphone: 'https://example.com/ios' },
      language: { de: 'https://example.com/de' },
      abtesting: [{ url: 'https://example.com/b', percentage: 40 }],
      parameters: [{ name: 'ref', value: 'x' }],
      deeplink: { auto: false, apple: 'https://apps.example/1' },
      metatitle: 'Meta',
      redirect: 307,
      forwardquery: true,
      archived: false,
      locked: false,
      campaign: null,
      channel: [],
    });
    expect(JSON.stringify(details)).not.toContain('scrypt');
  });

  test('has targets for two-letter languages, and rules for longer tags beside them', async () => {
    const to = (place: string) => `https://example.com/${place}`;
    const rule = { conditions: [{ type: 'language', op: 'is', value: 'pt-br' }], link: to('br') };
    const { id } = (
      await server.request('POST', '/api/url/add', {
        body: {
          url: to(''),
          custom: 'languages',
          rules: [rule],
          languagetarget: [
            { language: 'pt-BR', link: to('pt') },
            { language: 'zh-Hant', link: to('zh') },
            { language: 'deu', link: to('de') },
            { language: 'French', link: to('fr') },
          ],
        },
      })
    ).body;
    const details = async () => (await server.request('GET', `/api/url/${id}`)).body.details;
    const expected = { pt: to('pt'), zh: to('zh'), de: to('de'), fr: to('fr') };
    expect((await details()).language).toEqual(expected);
    await server.request('PUT', `/api/url/${id}/update`, { body: { languagetarget: [] } });
    expect(await details()).toMatchObject({ language: {}, rules: [rule] });
  });

  test.each(['fil', 'xx', 'nonsense', '12'])('is refused with the target language %s', async (language) => {
    const languagetarget = [{ language, link: 'https://example.com/' }];
    const reply = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', languagetarget },
    });
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { code: 'unknown_language', field: 'languagetarget.0.language' },
    ]);
  });

  test('keeps fields that an update does not send', async () => {
    const { id } = await server.call(addLink, {
      body: { url: 'https://example.com/', title: 'Before', note: 'Kept' },
    });
    await server.call(updateLink, { params: { id }, body: { title: 'After' } });
    expect((await server.call(getLink, { params: { id } })).details).toMatchObject({
      title: 'After',
      note: 'Kept',
    });
  });

  test('refuses a taken alias and names the field', async () => {
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'taken' } });
    await expect(
      server.call(addLink, { body: { url: 'https://example.com/', custom: 'taken' } }),
    ).rejects.toEqual(refusal(400, 'alias_taken', 'custom'));
  });

  test('treats aliases that differ in case as different', async () => {
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'Case' } });
    await expect(
      server.call(addLink, { body: { url: 'https://example.com/', custom: 'case' } }),
    ).resolves.toBeDefined();
  });

  test.each(['api', 'ADMIN', 'r', 'robots.txt', '.well-known', 'favicon.ico'])(
    'refuses the reserved alias %s with the reason',
    async (custom) => {
      await expect(server.call(addLink, { body: { url: 'https://example.com/', custom } })).rejects.toEqual(
        refusal(400, 'alias_reserved', 'custom'),
      );
    },
  );

  test.each(['a b', 'a/b', 'x'.repeat(81), '..', 'a+', 'a%20', '😀'])(
    'refuses %s as an alias',
    async (custom) => {
      await expect(server.call(addLink, { body: { url: 'https://example.com/', custom } })).rejects.toEqual(
        refusal(400, 'invalid_alias', 'custom'),
      );
    },
  );

  test('leads to a destination that was written with spaces, as a browser does', async () => {
    const custom = anotherName('spaced');
    const url = ' https://example.com/My Files/Annual Report.pdf?q=a b#page 2 ';
    const { id } = await server.call(addLink, { body: { url, custom } });
    const expected = 'https://example.com/My%20Files/Annual%20Report.pdf?q=a%20b#page%202';
    expect((await server.call(getLink, { params: { id } })).details.longurl).toBe(expected);
    expect((await visit(server, `/${custom}`)).location).toBe(expected);
  });

  test('accepts letters of every script in an alias, composed', async () => {
    const { shorturl } = await server.call(addLink, {
      body: { url: 'https://example.com/', custom: 'grüße' },
    });
    expect(shorturl).toBe(`${server.origin}/${encodeURIComponent('grüße')}`);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com',
    'https:/\\example.com',
    'example.com',
    'https://',
    'http://example.com:0/',
    'https://exam\tple.com/',
    'https://a b.example/',
    'https://example.com/one https://example.com/two',
    `https://example.com/${'x'.repeat(8192)}`,
  ])('refuses the destination %s', async (url) => {
    await expect(server.call(addLink, { body: { url } })).rejects.toMatchObject({
      status: 400,
      field: 'url',
    });
  });

  test('refuses credentials in a destination', async () => {
    await expect(server.call(addLink, { body: { url: 'https://user:pw@example.com/' } })).rejects.toEqual(
      refusal(400, 'invalid_url', 'url'),
    );
  });

  test('refuses a destination on this instance', async () => {
    const body = { url: `${server.origin}/everything` };
    await expect(server.call(addLink, { body })).rejects.toEqual(refusal(400, 'loop', 'url'));
  });

  test('refuses percentages that add up to more than 100', async () => {
    const abtesting = [60, 50].map((percentage) => ({ url: 'https://example.com/b', percentage }));
    await expect(server.call(addLink, { body: { url: 'https://example.com/', abtesting } })).rejects.toEqual(
      refusal(400, 'invalid_percentage', 'abtesting'),
    );
  });

  test('refuses to edit or delete a locked link', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/', locked: true } });
    await expect(server.call(updateLink, { params: { id }, body: { title: 'x' } })).rejects.toEqual(
      refusal(400, 'locked'),
    );
    await expect(server.call(deleteLink, { params: { id } })).rejects.toEqual(refusal(400, 'locked'));
    await server.call(updateLink, { params: { id }, body: { locked: false, title: 'x' } });
    expect((await server.call(getLink, { params: { id } })).details.title).toBe('x');
  });

  test('goes to the trash, where its alias is free, and is restored by undo', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/', custom: 'thrown' } });
    const removed = await server.call(deleteLink, { params: { id } });
    await expect(server.call(getLink, { params: { id } })).rejects.toEqual(refusal(404, 'not_found'));
    const second = await server.call(addLink, { body: { url: 'https://example.com/2', custom: 'thrown' } });
    await expect(server.call(undo, { params: { id: removed.undo as number } })).rejects.toEqual(
      refusal(400, 'alias_taken', 'custom'),
    );
    await server.call(deleteLink, { params: { id: second.id }, query: { force: '1' } });
    await server.call(undo, { params: { id: removed.undo as number } });
    expect((await server.call(getLink, { params: { id } })).details.alias).toBe('thrown');
  });

  test('is permanently removed by a second delete', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/' } });
    await server.call(deleteLink, { params: { id } });
    await server.call(deleteLink, { params: { id } });
    await expect(server.call(deleteLink, { params: { id } })).rejects.toEqual(refusal(404, 'not_found'));
  });

  test('has a history, in which an entry can be undone once', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/old' } });
    await server.call(updateLink, {
      params: { id },
      body: { url: 'https://example.com/new', custom: 'renamed' },
    });
    const history = await server.call(linkHistory, { params: { id } });
    const [change] = history.data.changes;
    expect(change).toMatchObject({
      action: 'update',
      before: { longurl: 'https://example.com/old' },
      after: { longurl: 'https://example.com/new', alias: 'renamed' },
    });
    const params = { id: change?.id as number };
    await server.call(undo, { params });
    expect((await server.call(getLink, { params: { id } })).details.longurl).toBe('https://example.com/old');
    await expect(server.call(undo, { params })).rejects.toEqual(refusal(400, 'already_undone'));
  });

  const lastChange = async (id: number) => {
    const { data } = await server.call(linkHistory, { params: { id } });
    return { params: { id: data.changes[0]?.id as number } };
  };

  test('cannot be undone while locked, except for the lock itself', async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/old' } });
    await server.call(updateLink, { params: { id }, body: { url: 'https://example.com/new' } });
    const moved = await lastChange(id);
    await server.call(updateLink, { params: { id }, body: { locked: true } });
    await expect(server.call(undo, moved)).rejects.toEqual(refusal(400, 'locked'));
    await server.call(undo, await lastChange(id));
    await server.call(undo, moved);
    expect((await server.call(getLink, { params: { id } })).details).toMatchObject({
      longurl: 'https://example.com/old',
      locked: false,
    });
  });

  test('says that nothing can be undone if what the change removed is gone', async () => {
    const { id: pixel } = (
      await server.request('POST', '/api/pixel/add', {
        body: { type: 'gtmpixel', name: 'x', tag: 'GTM-ABC123' },
      })
    ).body;
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/', pixels: [pixel] } });
    await server.call(updateLink, { params: { id }, body: { pixels: [] } });
    const taken = await lastChange(id);
    expect((await server.request('DELETE', `/api/pixel/${pixel}/delete`)).status).toBe(200);
    await expect(server.call(undo, taken)).rejects.toEqual(refusal(400, 'nothing_to_undo'));
  });
});

describe('the list of links', () => {
  test('has the envelope, newest first', async () => {
    const { data } = await server.call(listLinks, { query: { limit: 2 } });
    expect(data).toMatchObject({ perpage: 2, currentpage: 1, nextpage: 2 });
    expect(data.urls[0]?.id).toBeGreaterThan(data.urls[1]?.id as number);
    expect(data.maxpage).toBe(Math.ceil(data.result / 2));
  });

  test('includes markers on request, and is as published otherwise', async () => {
    await server.call(addLink, {
      body: {
        url: 'https://example.com/marked',
        custom: 'marked',
        password: 'secret',
        clicklimit: 5,
        type: 'frame',
        notbefore: '2099-01-01',
        geotarget: [{ location: 'DE', link: 'https://example.com/de' }],
        abtesting: [{ url: 'https://example.com/b', percentage: 50 }],
      },
    });
    const { data } = await server.call(listLinks, { query: { q: 'marked', traits: '1' } });
    expect(data.urls[0]?.traits).toEqual({
      protected: true,
      rules: 1,
      variants: 1,
      type: 'frame',
      notbefore: '2099-01-01 00:00:00',
      clicklimit: 5,
    });
    const plain = await server.call(listLinks, { query: { q: 'marked' } });
    expect(plain.data.urls[0]).not.toHaveProperty('traits');
  });

  test('is empty beyond its end', async () => {
    const { data } = await server.call(listLinks, { query: { page: 500 } });
    expect(data).toMatchObject({ urls: [], nextpage: null, currentpage: 500 });
  });

  test.each([
    ['0', 1],
    ['-3', 1],
    ['1000000', 1000],
  ])('clamps the limit %s to %i', async (limit, perpage) => {
    const reply = await server.request('GET', `/api/urls?limit=${limit}`);
    expect(reply.body.data.perpage).toBe(perpage);
  });

  test.each(['x', '1.5', '', '1e3', '0x1'])('refuses the limit "%s"', async (limit) => {
    const reply = await server.request('GET', `/api/urls?limit=${limit}`);
    expect([reply.status, reply.body.field]).toEqual([400, 'limit']);
  });

  test('finds a substring of alias, title, destination or note, without case, wildcards literal', async () => {
    const { id } = await server.call(addLink, {
      body: {
        url: 'https://example.com/Needle',
        custom: 'hay_stack',
        title: '100% Größe',
        note: 'under the bed',
      },
    });
    for (const q of ['needle', 'HAY_', '0% gr', 'GRÖSSE'.replace('SS', 'ß'), 'the bed', 'y_']) {
      const { data } = await server.call(listLinks, { query: { q } });
      expect(data.urls.map((url) => url.id)).toEqual([id]);
    }
    for (const q of ['hay%stack', 'hayXstack', '"needle"', 'zz']) {
      expect((await server.call(listLinks, { query: { q } })).data.urls).toEqual([]);
    }
  });

  test('finds one link by alias or short URL', async () => {
    for (const short of ['everything', `${server.origin}/everything`]) {
      const { data } = await server.call(listLinks, { query: { short, q: 'ignored' } });
      expect(data.urls.map((url) => url.alias)).toEqual(['everything']);
    }
    expect(
      (await server.call(listLinks, { query: { short: 'https://elsewhere.example/everything' } })).data
        .result,
    ).toBe(0);
  });

  test('finds the links with an alias on whichever domain, and one by its short URL', async () => {
    const host = `${anotherName('short')}.example`;
    addDomain(server, host, 1);
    const custom = anotherName('branded');
    const find = async (short: string) =>
      (await server.call(listLinks, { query: { short } })).data.urls.map(({ id }) => id);
    const add = (body: NewLink) => server.call(addLink, { body });
    const branded = await add({ url: 'https://example.com/branded', custom, domain: host });
    expect(branded.shorturl).toBe(`https://${host}/${custom}`);
    expect(await find(custom)).toEqual([branded.id]);
    const own = await add({ url: 'https://example.com/own', custom });
    expect(await find(custom)).toEqual([own.id, branded.id]);
    for (const { id, shorturl } of [own, branded]) expect(await find(shorturl)).toEqual([id]);
    const other = secondAccount(server, anotherName('short'));
    const foreign = await server.request('GET', `/api/urls?short=${custom}`, { key: other.key });
    expect(foreign.body.data).toMatchObject({ result: 0, urls: [] });
  });

  test('ignores other parameters beside an alias', async () => {
    const reply = await server.request('GET', '/api/urls?short=everything&limit=abc&q=a&order=none');
    expect([reply.status, reply.body.data.urls.length]).toEqual([200, 1]);
  });

  test.each([
    ['0', 404],
    ['-1', 404],
    ['01', 404],
    ['1e0', 404],
    ['1.0', 404],
    ['%2B1', 404],
    ['9007199254740993', 404],
    ['１', 404],
    ['null', 404],
  ])('answers the id %s with %i', async (id, status) => {
    expect((await server.request('GET', `/api/url/${id}`)).status).toBe(status);
  });
});
