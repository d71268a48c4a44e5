import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCampaign, getCampaign } from '../../../server/contract/campaigns.ts';
import {
  addLink,
  deleteLink,
  getLink,
  listLinks,
  type NewLink,
  updateLink,
} from '../../../server/contract/links.ts';
import { getLinkStats, listLinkClicks } from '../../../server/contract/stats.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.close());

let made = 0;
async function makeLink(fields: Partial<NewLink> = {}) {
  made += 1;
  const alias = fields.custom ?? `visit-${made}`;
  const body = { url: `https://example.com/${made}`, custom: alias, ...fields };
  const { id } = await server.call(addLink, { body });
  return { id, path: `/${encodeURIComponent(alias ?? '')}`, url: body.url };
}

async function clicksOf(id: number, bots = false): Promise<number> {
  const { data } = await server.call(listLinkClicks, {
    params: { id },
    query: { ...(bots && { bots: '1' as const }) },
  });
  return data.result;
}

describe('a link', () => {
  test('is answered with a 302 that must not be cached, and the click is in the log', async () => {
    const link = await makeLink();
    const answer = await visit(server, link.path);
    expect(answer).toMatchObject({ status: 302, location: link.url, body: '' });
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(await clicksOf(link.id)).toBe(1);
  });

  test('has its click in lists right after the response', async () => {
    const { id: campaign } = await server.call(addCampaign, { body: { name: 'Counted at once' } });
    const link = await makeLink({ campaign });
    await visit(server, link.path);
    const { details, data } = await server.call(getLink, { params: { id: link.id } });
    expect([details.clicks, data.clicks]).toEqual([1, 1]);
    await visit(server, link.path);
    const listed = await server.call(listLinks, { query: { short: link.path.slice(1) } });
    expect(listed.data.urls[0]?.clicks).toBe(2);
    await visit(server, link.path);
    const shown = await server.call(getCampaign, { params: { id: campaign } });
    expect(shown.data.links[0]?.clicks).toBe(3);
  });

  test.each([301, 307, 308] as const)('is answered with %i if configured', async (redirect) => {
    const link = await makeLink({ redirect });
    expect((await visit(server, link.path)).status).toBe(redirect);
  });

  test('is found by an alias in Unicode, composed or not, but not in another case', async () => {
    await makeLink({ custom: 'Müller' });
    expect((await visit(server, '/M%C3%BCller')).status).toBe(302);
    expect((await visit(server, '/Mu%CC%88ller')).status).toBe(302);
    expect((await visit(server, '/m%C3%BCller')).status).toBe(404);
  });

  test('reflects an update and a deletion immediately', async () => {
    const link = await makeLink();
    await visit(server, link.path);
    await server.call(updateLink, { params: { id: link.id }, body: { url: 'https://example.com/changed' } });
    expect((await visit(server, link.path)).location).toBe('https://example.com/changed');
    await server.call(deleteLink, { params: { id: link.id } });
    expect((await visit(server, link.path)).status).toBe(404);
  });

  test('answers HEAD like GET, without counting it', async () => {
    const link = await makeLink();
    expect(await visit(server, link.path, { method: 'HEAD' })).toMatchObject({
      status: 302,
      location: link.url,
    });
    expect(await clicksOf(link.id, true)).toBe(0);
  });

  test('answers other methods with 405', async () => {
    const link = await makeLink();
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'POST']) {
      const answer = await visit(server, link.path, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toMatch(/^GET, HEAD/);
    }
    expect(await clicksOf(link.id, true)).toBe(0);
  });

  test('shows its destination at its URL with a plus, without counting that', async () => {
    const link = await makeLink({ title: 'A <b>title</b>' });
    const page = await visit(server, `${link.path}+`);
    expect(page.status).toBe(200);
    expect(page.body).toContain(link.url);
    expect(page.body).toContain('A &lt;b&gt;title&lt;/b&gt;');
    expect(await clicksOf(link.id, true)).toBe(0);
  });

  test('forwards the query only if configured', async () => {
    const closed = await makeLink({
      url: 'https://example.com/?a=1#end',
      parameters: [{ name: 'ref', value: 'x y' }],
    });
    expect((await visit(server, `${closed.path}?b=2`)).location).toBe(
      'https://example.com/?a=1&ref=x%20y#end',
    );
    const open = await makeLink({ url: 'https://example.com/?a=1#end', forwardquery: true });
    expect((await visit(server, `${open.path}?b=%20c&notrack`)).location).toBe(
      'https://example.com/?a=1&b=%20c#end',
    );
  });

  test('is not counted with ?notrack', async () => {
    const link = await makeLink();
    expect((await visit(server, `${link.path}?notrack`)).status).toBe(302);
    expect(await clicksOf(link.id, true)).toBe(0);
  });

  test('separates bots', async () => {
    const link = await makeLink();
    expect((await visit(server, link.path, { agent: 'previewBot' })).status).toBe(302);
    expect(await clicksOf(link.id)).toBe(0);
    expect(await clicksOf(link.id, true)).toBe(1);
  });
});

describe('the status of a link', () => {
  test('archived is 410', async () => {
    const link = await makeLink({ archived: true, expirationredirect: 'https://example.com/over' });
    const answer = await visit(server, link.path);
    expect(answer.status).toBe(410);
    expect(answer.location).toBeUndefined();
  });

  test('not yet active is a friendly 404, and active from its time on', async () => {
    const link = await makeLink({ notbefore: '2027-01-15 12:00:10' });
    const page = await visit(server, link.path);
    expect(page.status).toBe(404);
    expect(page.body).toContain('isn’t active yet');
    server.clock.advance(10_000);
    expect((await visit(server, link.path)).status).toBe(302);
  });

  test('expired redirects to its configured target, else it is 410', async () => {
    const bare = await makeLink({ expiry: '2027-01-20 00:00:00' });
    const led = await makeLink({
      expiry: '2027-01-20 00:00:00',
      expirationredirect: 'https://example.com/over',
    });
    expect((await visit(server, bare.path)).status).toBe(302);
    server.clock.advance(6 * 86_400_000);
    expect((await visit(server, bare.path)).status).toBe(410);
    expect(await visit(server, led.path)).toMatchObject({
      status: 302,
      location: 'https://example.com/over',
    });
    expect(await clicksOf(led.id, true)).toBe(0);
  });

  test('with a click limit is answered exactly that often, however many come at once', async () => {
    const link = await makeLink({ clicklimit: 5 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => visit(server, link.path)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(35);
    expect(await clicksOf(link.id)).toBe(5);
  });

  test('with a click limit is not used up by HEAD, previews and preview fetchers, but by ?notrack', async () => {
    const link = await makeLink({ clicklimit: 1 });
    await visit(server, link.path, { method: 'HEAD' });
    await visit(server, `${link.path}+`);
    expect((await visit(server, link.path, { agent: 'previewBot' })).status).toBe(200);
    expect((await visit(server, `${link.path}?notrack`)).status).toBe(302);
    expect((await visit(server, link.path)).status).toBe(410);
  });
});

describe('rules', () => {
  test('choose by device, country and language, and the click records which one', async () => {
    const link = await makeLink({
      devicetarget: [{ device: 'iPhone', link: 'https://example.com/ios' }],
      geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
      languagetarget: [{ language: 'fr', link: 'https://example.com/fr' }],
    });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    expect((await visit(server, link.path, { agent: 'iphone' })).location).toBe('https://example.com/ios');
    expect((await visit(server, link.path, { headers: from('217.160.0.1') })).location).toBe(
      'https://example.com/de',
    );
    for (const language of ['fr-FR', 'fr-FR-u-nu-latn', 'fr-x-foo']) {
      const { location } = await visit(server, link.path, { headers: { 'Accept-Language': language } });
      expect(location).toBe('https://example.com/fr');
    }
    expect((await visit(server, link.path, { headers: from('8.8.8.8') })).location).toBe(link.url);
  });

  test('recognize a visitor who returns the same day', async () => {
    const link = await makeLink({
      rules: [
        { conditions: [{ type: 'returning', op: 'is', value: true }], link: 'https://example.com/again' },
      ],
    });
    expect((await visit(server, link.path)).location).toBe(link.url);
    await clicksOf(link.id);
    expect((await visit(server, link.path)).location).toBe('https://example.com/again');
  });

  test('leave the rest to an A/B test, which always gives a visitor the same variant', async () => {
    const link = await makeLink({ abtesting: [{ url: 'https://example.com/b', percentage: 50 }] });
    const seen = new Map<string, number>();
    for (let index = 0; index < 120; index += 1) {
      const headers = { 'X-Forwarded-For': `198.51.100.${index + 1}` };
      const { location = '' } = await visit(server, link.path, { headers });
      expect((await visit(server, link.path, { headers })).location).toBe(location);
      seen.set(location, (seen.get(location) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([link.url, 'https://example.com/b'].sort());
    expect(seen.get('https://example.com/b')).toBeGreaterThan(35);
  });

  test('send phones to their store', async () => {
    const link = await makeLink({
      deeplink: {
        apple: 'https://apps.apple.com/app/1',
        google: 'https://play.google.com/store/apps/details?id=1',
      },
    });
    expect((await visit(server, link.path, { agent: 'iphone' })).location).toBe(
      'https://apps.apple.com/app/1',
    );
    expect((await visit(server, link.path, { agent: 'android' })).location).toContain('play.google.com');
    expect((await visit(server, link.path)).location).toBe(link.url);
  });
});

test('a preview fetcher gets a card with the link’s texts, and people are redirected', async () => {
  const link = await makeLink({
    metatitle: 'Say "hello"',
    metadescription: '<script>alert(1)</script>',
    metaimage: 'https://example.com/picture.png',
  });
  const card = await visit(server, link.path, { agent: 'previewBot' });
  expect(card.status).toBe(200);
  expect(card.body).toContain('<meta property="og:title" content="Say &quot;hello&quot;">');
  expect(card.body).toContain('og:image');
  expect(card.body).not.toContain('<script');
  expect(card.body).not.toContain(link.url);
  expect((await visit(server, link.path)).location).toBe(link.url);
});

test('a click is recorded with everything known about it and without an address', async () => {
  const link = await makeLink();
  await visit(server, `${link.path}?utm_source=mail&utm_campaign=spring`, {
    agent: 'android',
    headers: {
      'X-Forwarded-For': '217.160.0.1',
      Referer: 'https://www.News.example/story?secret=1',
      'Accept-Language': 'de-DE,de;q=0.9',
    },
  });
  const { data } = await server.call(listLinkClicks, { params: { id: link.id } });
  expect(data.clicks[0]).toMatchObject({
    link: link.id,
    source: 'link',
    country: 'DE',
    referrer: 'news.example/story',
    browser: 'Chrome',
    os: 'Android',
    device: 'Mobile',
    language: 'de',
    bot: false,
  });
  const statistics = await server.call(getLinkStats, { params: { id: link.id } });
  expect(statistics.data.dimensions.utm_source).toEqual([{ value: 'mail', clicks: 1, uniqueclicks: 1 }]);
  const stored = JSON.stringify(server.databases.main.prepare('SELECT * FROM words').all());
  expect(stored).not.toContain('217.160');
  expect(stored).not.toContain('secret');
});

test('visits from excluded addresses are redirected and not counted, but use up a limit', async () => {
  const quiet = await startApp({
    trustedProxies: ['127.0.0.1'],
    uncountedAddresses: ['10.0.0.0/8', '2001:db8::/32'],
  });
  try {
    const add = (custom: string, clicklimit?: number) =>
      quiet.call(addLink, {
        body: { url: 'https://example.com/', custom, ...(clicklimit && { clicklimit }) },
      });
    const { id } = await add('internal');
    await add('internal-once', 1);
    for (const address of ['10.1.2.3', '2001:db8::7', '8.8.8.8']) {
      const answer = await visit(quiet, '/internal', { headers: { 'X-Forwarded-For': address } });
      expect(answer.status).toBe(302);
    }
    const { data } = await quiet.call(listLinkClicks, { params: { id }, query: { bots: '1' } });
    expect(data.result).toBe(1);
    const inside = { headers: { 'X-Forwarded-For': '10.1.2.3' } };
    expect((await visit(quiet, '/internal-once', inside)).status).toBe(302);
    expect((await visit(quiet, '/internal-once', inside)).status).toBe(410);
  } finally {
    await quiet.close();
  }
});

test("one visitor's input cannot change other visitors' responses", async () => {
  const link = await makeLink();
  const hostile = ['\u00ff'.repeat(3000), '%s%n"\'<script>', ';'.repeat(5000), 'a,'.repeat(2000)];
  for (const text of hostile) {
    const headers = { 'User-Agent': text, Referer: `https://x.example/${text}`, 'Accept-Language': text };
    expect(await visit(server, link.path, { headers })).toMatchObject({ status: 302, location: link.url });
  }
  expect(await clicksOf(link.id, true)).toBe(hostile.length);
});
