import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addCampaign,
  assignCampaign,
  getCampaign,
  getCampaignStats,
} from '../../../server/contract/campaigns.ts';
import { addLink, updateLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

let made = 0;
/** A campaign with links to /1, /2, …, one for each weight. */
async function campaignOf(weights: number[], fields: Record<string, unknown> = {}) {
  made += 1;
  const { id, data } = await server.call(addCampaign, { body: { name: `Campaign ${made}`, ...fields } });
  const links: number[] = [];
  for (const [index, weight] of weights.entries()) {
    const body = { url: `https://example.com/${index + 1}`, title: `Link ${index + 1}` };
    const link = await server.call(addLink, { body });
    await server.call(assignCampaign, { params: { campaignid: id, linkid: link.id }, body: { weight } });
    links.push(link.id);
  }
  return { id, slug: data?.slug as string, links, list: `/u/anna/list-${id}` };
}

async function destinations(slug: string, count: number): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (let index = 0; index < count; index += 1) found.push((await visit(server, `/r/${slug}`)).location);
  return found.map((location) => location?.replace('https://example.com', ''));
}

const viewsOf = async (id: number) =>
  (await server.call(getCampaign, { params: { id } })).data.campaign.views;

describe('a rotator', () => {
  test('sends each visit to the next link', async () => {
    const { slug } = await campaignOf([1, 1, 1]);
    expect(await destinations(slug, 6)).toEqual(['/1', '/2', '/3', '/1', '/2', '/3']);
  });

  test('follows the weights; 0 excludes a link', async () => {
    const { slug } = await campaignOf([3, 1, 0]);
    const found = await destinations(slug, 8);
    expect(found.filter((path) => path === '/1')).toHaveLength(6);
    expect(found.filter((path) => path === '/2')).toHaveLength(2);
  });

  test('counts a view of the campaign and a click with its source', async () => {
    const { id, slug, links } = await campaignOf([1, 1]);
    await destinations(slug, 3);
    expect(await viewsOf(id)).toBe(3);
    const { data } = await server.call(getCampaignStats, { params: { id } });
    expect(data.clicks).toBe(3);
    expect(data.dimensions.source).toMatchObject([{ value: 'rotator', clicks: 3 }]);
    const shown = await server.call(getCampaign, { params: { id } });
    expect(shown.data.links.map(({ id: link, clicks }) => [link, clicks])).toEqual(
      expect.arrayContaining([
        [links[0], 2],
        [links[1], 1],
      ]),
    );
  });

  test('neither counts nor rotates for bots, HEAD and opted-out visitors', async () => {
    const { id, slug } = await campaignOf([1, 1]);
    await visit(server, `/r/${slug}`, { agent: 'previewBot' });
    await visit(server, `/r/${slug}`, { method: 'HEAD' });
    await visit(server, `/r/${slug}?notrack`);
    expect(await viewsOf(id)).toBe(0);
    expect(await destinations(slug, 1)).toEqual(['/1']);
  });

  test('skips links that are archived, scheduled, expired, used up or in the trash', async () => {
    const { slug, links } = await campaignOf([1, 1, 1, 1, 1, 1]);
    const [archived, early, late, used, trashed] = links as [number, number, number, number, number];
    const change = (id: number, body: Record<string, unknown>) =>
      server.call(updateLink, { params: { id }, body });
    await change(archived, { archived: true });
    await change(early, { notbefore: '2028-01-01' });
    await change(late, { expiry: '2020-01-01' });
    await change(used, { clicklimit: 1 });
    server.databases.main.prepare('UPDATE links SET limited_clicks = 1 WHERE id = ?').run(used);
    await server.request('DELETE', `/api/url/${trashed}/delete`);
    expect(await destinations(slug, 3)).toEqual(['/6', '/6', '/6']);
  });

  test('is never cached by a browser, whatever its links are', async () => {
    const { slug, links } = await campaignOf([1]);
    await server.call(updateLink, { params: { id: links[0] as number }, body: { redirect: 301 } });
    const answer = await visit(server, `/r/${slug}`);
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'private, no-store']);
  });

  test('leads to the form of a password-protected link, which counts when unlocked', async () => {
    const { id, slug, links } = await campaignOf([1]);
    await server.call(updateLink, {
      params: { id: links[0] as number },
      body: { password: 'secret', custom: 'locked-one' },
    });
    expect((await visit(server, `/r/${slug}`)).location).toBe(`${server.origin}/locked-one`);
    expect((await server.call(getCampaignStats, { params: { id } })).data.clicks).toBe(0);
  });

  test('is a page if there is no link, no campaign, or no rotator', async () => {
    const { id, slug } = await campaignOf([]);
    expect((await visit(server, `/r/${slug}`)).status).toBe(404);
    await server.request('PUT', `/api/campaign/${id}/update`, { body: { slug: '' } });
    for (const path of [`/r/${slug}`, '/r/none', '/r/', '/r', `/r/${slug}+`, `/r/${slug}/x`]) {
      expect([path, (await visit(server, path)).status]).toEqual([path, 404]);
    }
    expect((await visit(server, '/r/%00')).status).toBe(404);
  });

  test('accepts no forms', async () => {
    const { slug } = await campaignOf([1]);
    const answer = await visit(server, `/r/${slug}`, { method: 'POST', body: 'password=x' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test("works on its own domain and on the instance's, but not on another one", async () => {
    const anna = (await server.request('GET', '/api/account')).body.data.id;
    addDomain(server, 'go.example.com', anna);
    addDomain(server, 'other.example.com', anna);
    const { slug } = await campaignOf([1], { domain: 'go.example.com' });
    const at = async (Host: string) => (await visit(server, `/r/${slug}`, { headers: { Host } })).status;
    expect(await at('go.example.com')).toBe(302);
    expect(await at(`localhost:${server.port}`)).toBe(302);
    expect(await at('other.example.com')).toBe(404);
  });
});

describe('a list page', () => {
  test('links to each link with a card with its title, URL and description', async () => {
    const { links, list } = await campaignOf([1], { public: true });
    const description = 'Hats & gloves';
    await server.call(updateLink, { params: { id: links[0] as number }, body: { description } });
    const { body } = await visit(server, list);
    const [, path = '', title, shown, said] =
      /<a class="card"[^>]* href="([^"]+)"><strong[^>]*>(.*?)<\/strong><bdi>(.*?)<\/bdi><span[^>]*>(.*?)<\/span>/.exec(
        body,
      ) ?? [];
    expect([title, shown, said]).toEqual(['Link 1', path, 'Hats &amp; gloves']);
    expect((await visit(server, path)).status).toBe(302);
  });

  test('shows the public links, newest first, and counts a view', async () => {
    const { id, links, list } = await campaignOf([1, 1, 1], { public: true, name: 'Spring <b>sale</b>' });
    await server.call(updateLink, { params: { id: links[1] as number }, body: { status: 'private' } });
    const answer = await visit(server, list);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('Spring &lt;b&gt;sale&lt;/b&gt;');
    expect(answer.body.match(/Link \d/g)).toEqual(['Link 3', 'Link 1']);
    expect(answer.body).not.toContain('example.com/');
    expect(answer.headers['content-security-policy']).toMatch(/; sandbox$/);
    await visit(server, list, { method: 'HEAD' });
    await visit(server, list, { agent: 'previewBot' });
    expect(await viewsOf(id)).toBe(1);
  });

  test('that is not public is 404, like one that does not exist', async () => {
    const { id, list } = await campaignOf([1]);
    const hidden = await visit(server, list);
    const missing = await visit(server, '/u/anna/list-999999');
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(hidden.body).toBe(missing.body);
    expect(await viewsOf(id)).toBe(0);
  });

  test('is only found under its owner', async () => {
    secondAccount(server, 'carla');
    const { id } = await campaignOf([1], { public: true });
    for (const path of [
      `/u/carla/list-${id}`,
      `/u//list-${id}`,
      `/u/anna/list-0${id}`,
      `/u/anna/list-${id}x`,
      `/u/anna/list-1e1`,
      `/u/anna/list-9007199254740993`,
    ]) {
      expect([path, (await visit(server, path)).status]).toEqual([path, 404]);
    }
    expect((await visit(server, `/u/ANNA/list-${id}?x=1`)).status).toBe(200);
  });
});

describe("an account's profile", () => {
  const change = (body: object) => server.request('PUT', '/api/account/update', { body });

  test('is 404 unless it is public, like one that does not exist', async () => {
    await campaignOf([1], { public: true });
    const hidden = await visit(server, '/u/anna');
    const missing = await visit(server, '/u/nobody');
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(hidden.body).toBe(missing.body);
  });

  test('shows the name and the public lists, and the picture if allowed', async () => {
    const shown = await campaignOf([1], { public: true, name: 'Open <i>list</i>' });
    const hidden = await campaignOf([1], { name: 'Closed list' });
    await change({ public: true, name: 'Anna & co' });
    const answer = await visit(server, '/u/ANNA/?x=1');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toMatch(/; sandbox$/);
    expect(answer.body).toContain('Anna &amp; co');
    expect(answer.body).toContain(`href="/u/anna/list-${shown.id}"`);
    expect(answer.body).toContain('Open &lt;i&gt;list&lt;/i&gt;');
    expect(answer.body).not.toContain(`list-${hidden.id}"`);
    expect(answer.body).not.toContain('<img');
    expect(answer.body).not.toContain('anna@example.com');
    expect((await visit(server, shown.list)).body).toContain('href="/u/anna"');

    await change({ media: true });
    const [photo] = /\/avatar\/[\w.-]+/.exec((await visit(server, '/u/anna')).body) ?? [];
    expect((await visit(server, photo as string)).status).toBe(200);
    const posted = await visit(server, '/u/anna', { method: 'POST', body: 'x=1' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    await change({ public: false, media: false });
    expect((await visit(server, '/u/anna')).status).toBe(404);
    expect((await visit(server, shown.list)).body).not.toContain('href="/u/anna"');
  });

  test("is only on the instance's address, and says when it has no lists", async () => {
    const dora = secondAccount(server, 'dora');
    await dora.request('PUT', '/api/account/update', { body: { public: true } });
    const { body } = await visit(server, '/u/dora', { headers: { 'Accept-Language': 'de' } });
    expect(body).toContain('Hier gibt es noch keine Listen.');
    addDomain(server, 'lists.example.com', dora.id);
    const elsewhere = await visit(server, '/u/dora', { headers: { Host: 'lists.example.com' } });
    expect(elsewhere.status).toBe(404);
  });
});
