import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { listLinkClicks } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { browsers, visit } from '../../support/visits.ts';

const host = 'go.brand.example';
const appleFile = '/.well-known/apple-app-site-association';
const androidFile = '/.well-known/assetlinks.json';
const fingerprint = Array.from({ length: 32 }, (_, index) =>
  (index + 160).toString(16).padStart(2, '0'),
).join(':');
const apps = {
  apple: [
    { id: 'ABCDE12345.com.example.app', paths: ['/app/*', '/a?'] },
    { id: 'ABCDE12345.com.example.two' },
  ],
  android: [{ package: 'com.example.app', fingerprints: [fingerprint, fingerprint.toUpperCase()] }],
};

let server: TestApp;
let domain: number;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'], ratelimit: 10_000 });
  const insert = `INSERT INTO domains (user_id, host, redirect_404, active, server_synced, created_at)
    VALUES (1, '${host}', 'https://brand.example/lost', 1, 1, 0)`;
  domain = Number(server.databases.main.prepare(insert).run().lastInsertRowid);
});
afterAll(() => server.close());

const change = (body: object) => server.request('PUT', `/api/domain/${domain}/update`, { body });
const ask = (path: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(server, path, { ...options, headers: { ...options.headers, Host: host } });

describe('the files in which a domain names its apps', () => {
  beforeEach(async () => expect((await change({ apps })).status).toBe(200));

  test("are in Apple's format: every app with the paths that it opens, or all of them", async () => {
    const answer = await ask(appleFile);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.body)).toEqual({
      applinks: {
        details: [
          { appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/app/*' }, { '/': '/a?' }] },
          { appIDs: ['ABCDE12345.com.example.two'], components: [{ '/': '/*' }] },
        ],
      },
    });
  });

  test('list for Apple first what an app never opens, and then what it opens', async () => {
    const apple = [
      { id: 'ABCDE12345.com.example.app', paths: ['/app/*', '!/app/help/*', '!/app/a?'] },
      { id: 'ABCDE12345.com.example.two', paths: ['!/help/*'] },
    ];
    expect((await change({ apps: { apple } })).status).toBe(200);
    expect(JSON.parse((await ask(appleFile)).body).applinks.details).toEqual([
      {
        appIDs: ['ABCDE12345.com.example.app'],
        components: [
          { '/': '/app/help/*', exclude: true },
          { '/': '/app/a?', exclude: true },
          { '/': '/app/*' },
        ],
      },
      {
        appIDs: ['ABCDE12345.com.example.two'],
        components: [{ '/': '/help/*', exclude: true }, { '/': '/*' }],
      },
    ]);
    expect((await server.request('GET', `/api/domain/${domain}`)).body.data.apps.apple).toEqual(apple);
  });

  test("are in Google's format: a statement for each app, with fingerprints in upper case", async () => {
    const answer = await ask(androidFile);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.body)).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.app',
          sha256_cert_fingerprints: [fingerprint.toUpperCase()],
        },
      },
    ]);
  });

  test('support HEAD, and are not unmatched visits', async () => {
    const answer = await ask(appleFile, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
    expect((await server.request('GET', '/api/visits/orphans')).body.data.visits).toEqual([]);
  });

  test('are on no other host', async () => {
    const answer = await visit(server, appleFile);
    expect(answer.status).toBe(404);
  });

  test('disappear when the apps are removed, and with the domain', async () => {
    expect((await server.request('GET', `/api/domain/${domain}`)).body.data.apps.apple).toHaveLength(2);
    await change({ apps: { apple: apps.apple } });
    expect((await ask(androidFile)).location).toBe('https://brand.example/lost');
    expect((await ask(appleFile)).status).toBe(200);
    await change({ apps: null });
    expect((await server.request('GET', `/api/domain/${domain}`)).body.data.apps).toBeNull();
    expect((await ask(appleFile)).location).toBe('https://brand.example/lost');
    await change({ apps });
    await change({ disabled: true });
    expect((await ask(appleFile)).status).toBe(404);
    await change({ disabled: false });
    expect((await ask(appleFile)).status).toBe(200);
  });

  test("stay below Apple's limit of 128 KB, however much is entered", async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `!/${index}${'x'.repeat(190)}*`);
    const many = Array.from({ length: 10 }, (_, index) => ({
      id: `ABCDE1234${index}.com.example.app`,
      paths,
    }));
    expect((await change({ apps: { apple: many } })).status).toBe(200);
    expect((await ask(appleFile)).body.length).toBeLessThan(128 * 1024);
  });

  test.each([
    [{ apple: [{ id: 'com.example.app' }] }, 'apps.apple.0.id', /prefix or team ID and the bundle ID/],
    [{ apple: [{ id: 'ABCDE12345.com.example.app', paths: ['app/*'] }] }, 'apps.apple.0.paths.0', /slash/],
    [{ apple: [{ id: 'ABCDE12345.com.example.app', paths: ['/a b'] }] }, 'apps.apple.0.paths.0', /spaces/],
    [
      { android: [{ package: 'example', fingerprints: [fingerprint] }] },
      'apps.android.0.package',
      /com\.example/,
    ],
    [{ android: [{ package: 'a.b', fingerprints: ['14:6D'] }] }, 'apps.android.0.fingerprints.0', /32 pairs/],
    [{ android: [{ package: 'a.b', fingerprints: [] }] }, 'apps.android.0.fingerprints', /at least one/],
  ])('are refused if %j is not an app, with the expected format', async (wrong, field, message) => {
    const { status, body } = await change({ apps: wrong });
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toMatch(message);
    expect((await ask(androidFile)).status).toBe(200);
  });
});

describe('a link that opens apps', () => {
  const instagram = `${browsers.iphone.replace(/ Version.*/, '')} Mobile/15E148 Instagram 391.0.0 (iPhone15,2; iOS 18_6)`;
  const facebook = `${browsers.android}; wv [FB_IAB/FB4A;FBAV/480.0.0;]`;
  let address = 0;
  const add = async (fields: object = {}) => {
    const body = { url: 'https://shop.example/a?b=1#c', deeplink: { auto: true }, ...fields };
    const { id, shorturl } = await server.call(addLink, { body });
    return { id, path: new URL(shorturl).pathname };
  };
  const open = (path: string, agent: string) => {
    address += 1;
    const headers = { 'User-Agent': agent, 'X-Forwarded-For': `8.8.4.${address}` };
    return visit(server, path, { headers });
  };
  const hrefs = (body: string) =>
    [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

  test('offers the system’s browser to a visitor in Instagram on an iPhone, and counts one visit', async () => {
    const { id, path } = await add();
    const answer = await open(path, instagram);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toContain('allow-top-navigation-to-custom-protocols');
    expect(hrefs(answer.body)).toEqual([
      'x-safari-https://shop.example/a?b=1#c',
      'https://shop.example/a?b=1#c',
    ]);
    const { data } = await server.call(listLinkClicks, { params: { id } });
    expect(data.clicks).toHaveLength(1);
  });

  test("leads to the destination's app on Android, or else to the default browser", async () => {
    const { path } = await add();
    const [intent = ''] = hrefs((await open(path, facebook)).body);
    expect(intent).toBe(
      'intent://shop.example/a?b=1#c#Intent;scheme=https;action=android.intent.action.VIEW;' +
        'category=android.intent.category.BROWSABLE;' +
        'S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fa%3Fb%3D1%23c;end',
    );
  });

  test('is offered in each Android app that shows it in a WebView, and not in Chrome', async () => {
    const { path } = await add();
    const webView = browsers.android.replace('Pixel 9', 'K; wv').replace('Chrome/', 'Version/4.0 Chrome/');
    for (const agent of [webView, `${webView} Reddit/2026.40.0`]) {
      expect(hrefs((await open(path, agent)).body)[0]).toMatch(/^intent:/);
    }
    expect((await open(path, browsers.android)).status).toBe(302);
  });

  test('offers its store there if it names one', async () => {
    const { path } = await add({ deeplink: { auto: true, apple: 'https://apps.apple.com/app/id1' } });
    expect(hrefs((await open(path, instagram)).body)).toContain('x-safari-https://apps.apple.com/app/id1');
    // Whoever has the app never comes here, as the phone has opened it.
    expect((await open(path, browsers.iphone)).location).toBe('https://apps.apple.com/app/id1');
    expect((await open(path, browsers.android)).location).toBe('https://shop.example/a?b=1#c');
  });

  test('redirects everybody else, as does a link that does not open apps', async () => {
    const { path } = await add();
    for (const agent of [browsers.iphone, browsers.android, browsers.windows]) {
      expect((await open(path, agent)).status).toBe(302);
    }
    const plain = await add({ deeplink: null });
    expect((await open(plain.path, instagram)).status).toBe(302);
    // A page of its own is seen where the visitor is.
    const splash = await add({ type: 'splash' });
    expect(hrefs((await open(splash.path, instagram)).body).join()).not.toContain('x-safari');
  });

  test('cannot inject commands for the phone through the URL', async () => {
    const { path } = await add({ url: 'https://shop.example/#Intent;component=x/y;end' });
    const [intent = ''] = hrefs((await open(path, facebook)).body);
    // What counts for Android follows the last of the two.
    expect(intent.slice(intent.lastIndexOf('#'))).toBe(
      '#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;' +
        'S.browser_fallback_url=https%3A%2F%2Fshop.example%2F%23Intent%3Bcomponent%3Dx%2Fy%3Bend;end',
    );
  });

  test('is simulated in the same way', async () => {
    const { id } = await add();
    const simulate = async (visitor: object) =>
      (await server.request('POST', `/api/url/${id}/simulate`, { body: visitor })).body.data;
    const link = 'https://shop.example/a?b=1#c';
    expect(await simulate({ device: 'iPhone', inapp: true })).toMatchObject({
      status: 200,
      link,
      why: expect.stringContaining("first offered to open it in the phone's browser"),
    });
    expect(await simulate({ device: 'iPhone' })).toMatchObject({ status: 302, link });
    expect(await simulate({ device: 'Windows', inapp: true })).toMatchObject({ status: 302, link });
  });
});
