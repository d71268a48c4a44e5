import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { languages } from '../../../server/contract/languages.ts';
import { catalogue } from '../../../server/visits/redirects/pages/texts.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000, trustedProxies: ['127.0.0.1/32'] });
});
afterAll(() => server.close());

let count = 0;
let alias: string;
let id: number;
beforeEach(async () => {
  count += 1;
  alias = `shared${count}`;
  const body = { url: `https://destination.example/${count}`, custom: alias, title: `Spring <${count}>` };
  id = (await server.request('POST', '/api/url/add', { body })).body.id;
});

interface Page {
  on: boolean;
  url: string | null;
  password: boolean;
  referrers: boolean;
}
async function share(body: object = {}, of = `url/${id}`): Promise<Page> {
  const { data } = (await server.request('PUT', `/api/${of}/statspage`, { body: { on: true, ...body } }))
    .body;
  return data;
}
const pathOf = ({ url }: Page) => new URL(url ?? '').pathname;
/** A visitor somewhere in the network of `8.8.8.8`, whom the bundled database knows to be in the United States. */
let visitors = 0;
const from = (headers: Record<string, string> = {}) => {
  visitors += 1;
  return {
    headers: { 'X-Forwarded-For': `8.8.${Math.floor(visitors / 250) + 8}.${visitors % 250}`, ...headers },
  };
};
const click = (headers?: Record<string, string>) => visit(server, `/${alias}`, from(headers));
const look = (page: Page, headers?: Record<string, string>) => visit(server, pathOf(page), from(headers));

test('is off by default, and shows statistics at its own address once on', async () => {
  expect((await server.request('GET', `/api/url/${id}/statspage`)).body.data).toEqual({
    on: false,
    url: null,
    password: false,
    referrers: false,
  });
  await click();
  await click({ 'Accept-Language': 'de' });
  const page = await share();
  expect(page.url).toMatch(/^http:\/\/localhost:\d+\/stats\/[\w-]{22}$/);
  const shown = await look(page);
  expect(shown.status).toBe(200);
  expect(shown.body).toContain('<meta name="robots" content="noindex">');
  expect(shown.body).toContain('<dt>Clicks</dt><dd>2</dd>');
  expect(shown.body).toContain('<dt>Unique visitors</dt><dd>2</dd>');
  expect(shown.body).toContain(`localhost:${server.port}/${alias}`);
  expect(shown.body).toContain(`Spring &lt;${count}&gt;`);
  for (const word of ['United States', 'Windows', 'Chrome', 'Desktop', 'English', 'German'])
    expect(shown.body).toContain(`<bdi>${word}</bdi>`);
});

test('does not count its viewers, and is limited to its periods', async () => {
  const page = await share();
  await click();
  for (const period of ['7d', '30d', '90d', '12m', 'all', '9'.repeat(4000)]) {
    const shown = await visit(server, `${pathOf(page)}?period=${period}`, from());
    expect(shown.status).toBe(200);
    expect(shown.body.match(/aria-current="page"/g)).toHaveLength(1);
    expect(shown.body).toContain('<dt>Clicks</dt><dd>1</dd>');
  }
});

test('shows referrers only if turned on', async () => {
  await click({ Referer: 'https://secret-partner.example/deal' });
  const page = await share();
  expect((await look(page)).body).not.toContain('secret-partner');
  await share({ referrers: true });
  expect((await look(page)).body).toContain('<bdi>secret-partner.example</bdi>');
});

test('asks for a password, and opens for anyone who has it', async () => {
  const page = await share({ password: 'springtime' });
  expect(page.password).toBe(true);
  await click();
  const asked = await look(page);
  expect(asked.body).toContain('These statistics are protected');
  expect(asked.body).not.toContain('Spring');
  const send = (password: string) =>
    visit(server, pathOf(page), { ...from(), method: 'POST', body: `password=${password}` });
  expect((await send('wrong')).status).toBe(403);
  const right = await send('springtime');
  expect([right.status, right.location]).toEqual([303, pathOf(page)]);
  const cookie = String(right.headers['set-cookie']).split(';')[0] ?? '';
  expect((await look(page, { Cookie: cookie })).body).toContain('<dt>Clicks</dt><dd>1</dd>');
  await share({ password: 'autumn' });
  expect((await look(page, { Cookie: cookie })).body).toContain('These statistics are protected');
  await share({ password: '' });
  expect((await look(page)).body).toContain('<dt>Clicks</dt><dd>1</dd>');
});

test('has the languages of all public pages', async () => {
  await click();
  const page = await share();
  for (const language of languages) {
    const { headers, body } = await look(page, {
      'Accept-Language': language,
      'Accept-Encoding': 'identity',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toContain(`<html lang="${language}"`);
    expect(body).toContain(catalogue[language].statistics.lists.country);
  }
});

test('travels compressed', async () => {
  const page = await share();
  const reply = await fetch(`${server.origin}${pathOf(page)}`, { headers: { 'accept-encoding': 'gzip' } });
  expect(reply.headers.get('content-encoding')).toBe('gzip');
  const raw = await new Promise<Buffer>((resolve, reject) => {
    import('node:http').then(({ get }) =>
      get(`${server.origin}${pathOf(page)}`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(Buffer.concat(parts)));
      }).on('error', reject),
    );
  });
  expect(gunzipSync(raw).toString()).toContain('</html>');
});

test('shows the clicks of all links of a campaign together', async () => {
  const campaign = (await server.request('POST', '/api/campaign/add', { body: { name: `Fair ${count}` } }))
    .body;
  await server.request('POST', `/api/campaign/${campaign.id}/assign/${id}`);
  await click();
  const page = await share({}, `campaign/${campaign.id}`);
  const shown = await look(page);
  expect(shown.body).toContain(`<bdi>Fair ${count}</bdi>`);
  expect(shown.body).toContain('<dt>Clicks</dt><dd>1</dd>');
  expect(shown.body).not.toContain(alias);
  await server.request('DELETE', `/api/campaign/${campaign.id}/delete`);
  expect((await look(page)).status).toBe(404);
  await server.request('POST', `/api/campaign/${campaign.id}/restore`);
  expect((await server.request('GET', `/api/campaign/${campaign.id}/statspage`)).body.data.on).toBe(false);
});

test('keeps its address while off, and gets a new one on request', async () => {
  const page = await share();
  await share({ on: false });
  expect((await look(page)).status).toBe(404);
  expect((await share()).url).toBe(page.url);
  expect((await look(page)).status).toBe(200);
  const renewed = await share({ newaddress: true });
  expect(renewed.url).not.toBe(page.url);
  expect([(await look(page)).status, (await look(renewed)).status]).toEqual([404, 200]);
});

test("is available on its link's domain and on the instance, and on no other domain", async () => {
  addDomain(server, `go${count}.example`, 1);
  addDomain(server, `other${count}.example`, 1);
  await server.request('PUT', `/api/url/${id}/update`, { body: { domain: `go${count}.example` } });
  const page = await share();
  expect(page.url).toMatch(`https://go${count}.example/stats/`);
  const statuses = [`go${count}.example`, `localhost:${server.port}`, `other${count}.example`].map(
    async (Host) => (await look(page, { Host })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
});

test('says what is not recorded, and omits what was recorded before', async () => {
  await click({ Referer: 'https://news.example/' });
  const page = await share({ referrers: true });
  const privacy = (body: object) => server.request('PUT', '/api/privacy', { body });
  try {
    await privacy({ noReferrer: true, noPlace: true });
    const less = await look(page);
    expect(less.body).toContain('some details aren’t kept');
    expect(less.body).toContain('<bdi>Windows</bdi>');
    expect(less.body).not.toContain('news.example');
    expect(less.body).not.toContain('United States');
    await privacy({ keep: 'counts' });
    expect((await look(page)).body).not.toMatch(/Unique visitors|Windows/);
    await privacy({ keep: 'nothing' });
    expect((await look(page)).body).toContain('New visits are no longer counted');
  } finally {
    await privacy({ noReferrer: false, noPlace: false, keep: 'clicks' });
  }
});

test('closes in the trash and the archive, and returns with its link', async () => {
  const page = await share();
  const bulk = (action: string) => server.request('POST', '/api/urls/bulk', { body: { ids: [id], action } });
  for (const [out, back] of [
    ['delete', 'restore'],
    ['archive', 'unarchive'],
  ] as const) {
    await bulk(out);
    expect([out, (await look(page)).status]).toEqual([out, 404]);
    await bulk(back);
    expect([back, (await look(page)).status]).toEqual([back, 200]);
  }
  // A lock keeps what was printed as it is, its page of statistics included.
  await bulk('lock');
  expect((await look(page)).status).toBe(200);
  const refused = await server.request('PUT', `/api/url/${id}/statspage`, { body: { on: true } });
  expect([refused.status, refused.body.code]).toEqual([400, 'locked']);
});

test('ends when its link or campaign moves to another account', async () => {
  const team = await newTeam(server, `owner${count}`);
  const { owner } = team;
  const made = (await owner.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } })).body;
  const campaign = (await owner.request('POST', '/api/campaign/add', { body: { name: 'Moving' } })).body;
  const ends = [`url/${made.id}`, `campaign/${campaign.id}`].map(async (of, index) => {
    const page = (await owner.request('PUT', `/api/${of}/statspage`, { body: { on: true } })).body.data;
    expect((await look(page)).status).toBe(200);
    const resource = index === 0 ? 'links' : 'campaigns';
    const body = { from: owner.id, to: team.id, resource, ids: [Number(of.split('/')[1])], related: 'leave' };
    expect((await owner.request('POST', '/api/move', { body })).status).toBe(200);
    expect((await look(page)).status).toBe(404);
    expect((await owner.inTeam('GET', `/api/${of}/statspage`)).body.data.on).toBe(false);
  });
  await Promise.all(ends);
});

test('a viewer of a team sees whether it is on, and a contributor shares their own', async () => {
  const team = await newTeam(server, `team${count}`);
  const viewer = await team.join(`viewer${count}`, 'viewer');
  const contributor = await team.join(`contributor${count}`, 'contributor');
  const url = 'https://example.com/';
  const theirs = (await team.owner.inTeam('POST', '/api/url/add', { body: { url } })).body.id;
  const own = (await contributor.inTeam('POST', '/api/url/add', { body: { url } })).body.id;
  const body = { on: true };
  expect((await viewer.inTeam('GET', `/api/url/${own}/statspage`)).status).toBe(200);
  expect((await viewer.inTeam('PUT', `/api/url/${own}/statspage`, { body })).status).toBe(403);
  expect((await contributor.inTeam('PUT', `/api/url/${theirs}/statspage`, { body })).status).toBe(403);
  expect((await contributor.inTeam('PUT', `/api/url/${own}/statspage`, { body })).body.data.on).toBe(true);
});

test('turning it on is in the activity log', async () => {
  await share();
  const [entry] = (await server.request('GET', '/api/audit?limit=1')).body.data.audit;
  expect(entry).toMatchObject({
    action: 'statspage.updated',
    details: { title: `Spring <${count}>`, shared: true },
  });
});
