import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { simulation } from '../../../server/contract/simulator.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'] });
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const post = (path: string, body: unknown) => server.request('POST', path, { body });
const condition = (type: string, value: unknown, op = 'is') => ({ type, op, value });
const rule = (link: string, ...conditions: unknown[]) => ({
  link: `https://example.com/${link}`,
  conditions,
});

async function addLink(fields: Record<string, unknown>): Promise<number> {
  const { status, body } = await post('/api/url/add', { url: 'https://example.com/home', ...fields });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.id;
}
const simulate = async (id: number, body: unknown) => (await post(`/api/url/${id}/simulate`, body)).body.data;

describe('a simulated visit', () => {
  test('names the rule that matches, and evaluates none after it', async () => {
    const id = await addLink({
      rules: [
        rule('fr', condition('country', 'France'), condition('device', 'iPhone')),
        rule('de', condition('country', 'DE')),
        rule('never', condition('language', 'de')),
      ],
    });
    expect(await simulate(id, { country: 'germany', device: 'iphone', language: 'de' })).toEqual({
      link: 'https://example.com/de',
      rule: 1,
      type: 'direct',
      status: 302,
      outcome: 'redirect',
      why: 'Rule 2 matches and sets the destination.',
      reason: { code: 'rule', rules: 3, draw: null, inapp: false },
      steps: [
        {
          rule: 0,
          condition: { type: 'country', op: 'is', value: 'FR' },
          matched: false,
          why: 'The country is Germany (DE), but the rule asks for France (FR).',
          found: 'DE',
          unknown: false,
        },
        {
          rule: 0,
          condition: { type: 'device', op: 'is', value: 'iPhone' },
          matched: true,
          why: 'The device is iPhone, Mobile, and the rule asks for iPhone.',
          found: ['iPhone', 'Mobile'],
          unknown: false,
        },
        {
          rule: 1,
          condition: { type: 'country', op: 'is', value: 'DE' },
          matched: true,
          why: 'The country is Germany (DE), and the rule asks for Germany (DE).',
          found: 'DE',
          unknown: false,
        },
      ],
    });
  });

  test("without a matching rule has rule null and the link's destination", async () => {
    const id = await addLink({ rules: [rule('de', condition('country', 'DE'))] });
    expect(await simulate(id, {})).toMatchObject({
      link: 'https://example.com/home',
      rule: null,
      steps: [
        { rule: 0, matched: false, why: 'The country is not known, but the rule asks for Germany (DE).' },
      ],
    });
    expect(await simulate(await addLink({}), {})).toMatchObject({ rule: null, steps: [] });
  });

  test('needs no body at all', async () => {
    const id = await addLink({});
    expect((await server.request('POST', `/api/url/${id}/simulate`)).body.data.status).toBe(302);
  });

  test.each([
    [condition('os', 'iOS'), { device: 'iPad' }],
    [condition('os', 'Windows', 'contains'), { os: 'windows' }],
    [condition('device', 'Desktop'), { device: 'macOS' }],
    [condition('browser', 'edge'), { browser: 'Edge' }],
    [condition('language', 'pt'), { language: 'pt-BR' }],
    [condition('query', 'ref=mail'), { query: '?ref=mail&b=2' }],
    [condition('query', 'ref=mail'), { query: { ref: 'mail' } }],
    [condition('referrer', 'example.org'), { referrer: 'https://www.news.example.org/a?b' }],
    [condition('referrer', 'news.example.org'), { referrer: 'news.example.org' }],
    [condition('ip', '203.0.113.0/24'), { ip: '203.0.113.9' }],
    [condition('ip', '203.0.113.0/24'), { ip: '::ffff:203.0.113.9' }],
    [condition('country', 'US'), { ip: '8.8.8.8' }],
    [condition('continent', 'EU'), { country: 'Germany' }],
    [condition('continent', ['asia', 'North America'], 'in'), { ip: '8.8.8.8' }],
    [condition('region', 'Bavaria'), { region: 'bavaria' }],
    [condition('city', 'Berlin'), { city: 'berlin' }],
    [condition('returning', true), { returning: true }],
    [condition('date', '2030-01-01 00:00:00', 'after'), { at: '2030-01-01' }],
    [
      condition('schedule', { days: [2], from: '10:00', to: '12:00' }, 'between'),
      { at: '2030-01-01 11:59:59' },
    ],
    [condition('percentage', 30), { draw: 29 }],
  ])('reports %j as %j', async (one, visitor) => {
    const id = await addLink({ rules: [rule('met', one)] });
    expect(await simulate(id, visitor)).toMatchObject({ link: 'https://example.com/met', rule: 0 });
    const missed = await simulate(id, { draw: 30, at: '2029-12-31' });
    expect(missed).toMatchObject({ link: 'https://example.com/home', rule: null });
  });

  test('says that real visitors have no city', async () => {
    const id = await addLink({ rules: [rule('met', condition('city', 'Berlin'))] });
    const [step] = (await simulate(id, { city: 'Berlin' })).steps;
    expect(step.why).toContain('for real visits the city is unknown');
    expect(step).toMatchObject({ found: 'Berlin', unknown: true });
  });

  test.each([
    [condition('continent', 'EU'), { country: 'Japan' }, 'AS', 'The continent is Asia (AS), but'],
    [condition('region', 'Bavaria'), {}, null, 'The region is not known, but'],
    [condition('os', 'iOS'), { device: 'iPad' }, 'iOS', 'The system is iOS, and'],
    [condition('language', 'pt'), { language: 'pt-BR' }, 'pt-br', 'The language is pt-br, and'],
    [condition('referrer', 'example.org'), {}, null, 'The referrer is missing, but'],
    [condition('query', 'ref'), { query: '?ref=mail' }, 'ref=mail', 'The query is ref=mail, and'],
    [condition('query', 'ref'), {}, null, 'The query is empty, but'],
    [
      condition('ip', '203.0.113.0/24'),
      { ip: '203.0.113.9' },
      '203.0.113.9',
      'The address is 203.0.113.9, and',
    ],
    [
      condition('date', '2030-01-01 00:00:00', 'after'),
      { at: '2030-01-02' },
      '2030-01-02 00:00:00',
      'The moment is 2030-01-02 00:00:00, and',
    ],
    [
      condition('schedule', { days: [2], timezone: 'Asia/Tokyo' }, 'between'),
      { at: '2029-12-31 23:30:00' },
      { day: 2, time: '08:30', timezone: 'Asia/Tokyo' },
      'The local time is Tuesday 08:30 in Asia/Tokyo, and',
    ],
    [condition('percentage', 30), { draw: 30.5 }, 30, 'The number of the visitor is 30 of 100, but'],
    [condition('returning', true), { returning: true }, true, 'The visitor has visited today, and'],
  ])('says that %j saw %j', async (one, visitor, found, why) => {
    const id = await addLink({ rules: [rule('met', one)] });
    const [step] = (await simulate(id, visitor)).steps;
    expect(step.found).toEqual(found);
    expect(step.why).toMatch(new RegExp(`^${why.replace(/[()]/g, '\\$&')} the rule asks for`));
  });

  test.each([
    [{ archived: true }, {}, 'archived'],
    [{ archiveon: '2028-01-01' }, { at: '2028-01-02' }, 'ended'],
    [{ notbefore: '2030-01-01' }, {}, 'early'],
    [{ expiry: '2028-01-01' }, { at: '2028-01-02' }, 'expired'],
    [
      { expiry: '2028-01-01', expirationredirect: 'https://example.com/over' },
      { at: '2028-01-02' },
      'expiredredirect',
    ],
    [{ password: 'secret' }, {}, 'password'],
    [{ deeplink: { apple: 'https://apps.apple.com/a' } }, { device: 'iPad' }, 'store'],
    [{ abtesting: [{ url: 'https://example.com/b', percentage: 40 }] }, { draw: 39 }, 'test'],
    [
      {
        abtesting: [{ url: 'https://example.com/b', percentage: 40 }],
        testuntil: '2028-01-01',
        testwinner: 'https://example.com/b',
      },
      { at: '2028-01-02' },
      'winner',
    ],
    [{}, {}, 'link'],
  ])('names the reason why a link with %j does so with %j: %s', async (fields, visitor, code) => {
    const found = await simulate(await addLink(fields), visitor);
    const draw = code === 'test' ? 39 : null;
    expect(found.reason).toEqual({ code, rules: 0, draw, inapp: false });
    expect(found.why).toMatch(/^[A-Z].*[.]$/);
  });

  test.each([
    [{ country: 'Atlantis' }, 'country'],
    [{ device: 'Fridge' }, 'device'],
    [{ os: 'Windoors' }, 'os'],
    [{ device: 'iPhone', os: 'Windows' }, 'os'],
    [{ browser: 'Nothing' }, 'browser'],
    [{ language: 'xx-yy-zz-toolong99' }, 'language'],
    [{ at: 'tomorrow' }, 'at'],
    [{ at: '2027-02-30' }, 'at'],
    [{ ip: '999.1.1.1' }, 'ip'],
    [{ referrer: 'ftp://example.com' }, 'referrer'],
    [{ returning: 'yes' }, 'returning'],
    [{ draw: 100 }, 'draw'],
    [{ country: 5 }, 'country'],
    [{ change: { url: 'javascript:alert(1)' } }, 'url'],
  ])('refuses %j and names %s', async (body, field) => {
    const id = await addLink({});
    const reply = await post(`/api/url/${id}/simulate`, body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });

  test.each([
    [{ archived: true }, {}, { outcome: 'archived', status: 410, link: null }],
    [{ notbefore: '2030-01-01 00:00:00' }, {}, { outcome: 'early', status: 404, link: null }],
    [{ notbefore: '2030-01-01 00:00:00' }, { at: '2030-01-02' }, { outcome: 'redirect', status: 302 }],
    [{ expiry: '2028-01-01' }, { at: '2028-01-02' }, { outcome: 'expired', status: 410, link: null }],
    [
      { expiry: '2028-01-01', expirationredirect: 'https://example.com/over' },
      { at: '2028-01-02' },
      { outcome: 'expired', status: 302, link: 'https://example.com/over' },
    ],
    [{ password: 'secret' }, {}, { outcome: 'password', status: 200, link: null }],
    [{ password: 'secret' }, { unlocked: true }, { outcome: 'redirect', status: 302 }],
    [{ redirect: 301 }, {}, { status: 301 }],
    [{ type: 'splash' }, {}, { status: 200, type: 'splash', link: 'https://example.com/home' }],
    [
      { deeplink: { apple: 'https://apps.apple.com/a' } },
      { device: 'iPad' },
      { link: 'https://apps.apple.com/a' },
    ],
    [
      { abtesting: [{ url: 'https://example.com/b', percentage: 40 }] },
      { draw: 39 },
      { link: 'https://example.com/b' },
    ],
    [
      { abtesting: [{ url: 'https://example.com/b', percentage: 40 }] },
      { draw: 40 },
      { link: 'https://example.com/home' },
    ],
    [
      { parameters: [{ name: 'utm_source', value: 'x' }], forwardquery: true },
      { query: 'a=1' },
      { link: 'https://example.com/home?utm_source=x&a=1' },
    ],
  ])('to a link with %j as %j is %j', async (fields, visitor, expected) => {
    expect(await simulate(await addLink(fields), visitor)).toMatchObject(expected);
  });

  test("reads and shows times in the account's time zone", async () => {
    await server.request('PUT', '/api/account/update', { body: { timezone: 'Asia/Tokyo' } });
    const id = await addLink({ rules: [rule('met', condition('date', '2030-01-01 00:00:00', 'after'))] });
    const found = await simulate(id, { at: '2030-01-01 00:00:00' });
    expect(found.rule).toBe(0);
    expect(found.steps[0].condition.value).toBe('2030-01-01 00:00:00');
    expect(found.steps[0].why).toContain('is 2030-01-01 00:00:00');
    await server.request('PUT', '/api/account/update', { body: { timezone: 'UTC' } });
  });

  test('counts nothing and leaves no history', async () => {
    const id = await addLink({});
    const before = (await server.request('GET', `/api/url/${id}`)).body;
    await simulate(id, { change: { url: 'https://example.com/other' } });
    expect((await server.request('GET', `/api/url/${id}`)).body).toEqual(before);
    expect((await server.request('GET', `/api/url/${id}/history`)).body.data.result).toBe(0);
  });
});

test('matches the real visit, rule by rule', async () => {
  const id = await addLink({
    custom: 'really',
    forwardquery: true,
    rules: [
      rule('phone', condition('device', 'iPhone'), condition('language', 'en')),
      rule('us', condition('country', 'US'), condition('query', 'a')),
      rule('chrome', condition('browser', 'Chrome'), condition('referrer', 'news.example.org')),
      rule('de', condition('language', 'de', 'startswith')),
    ],
  });
  const agents = {
    windows: { device: 'Windows', browser: 'Chrome' },
    iphone: { device: 'iPhone', browser: 'Safari' },
  };
  for (const agent of ['windows', 'iphone'] as const) {
    for (const language of ['de', 'en']) {
      for (const ip of ['8.8.8.8', '203.0.113.5']) {
        for (const query of ['', 'a=1']) {
          for (const referrer of ['', 'https://news.example.org/x']) {
            const real = await visit(server, `/really${query === '' ? '' : `?${query}`}`, {
              agent,
              headers: { 'Accept-Language': language, 'X-Forwarded-For': ip, Referer: referrer },
            });
            const simulated = await simulate(id, { ...agents[agent], language, ip, query, referrer });
            expect([simulated.status, simulated.link]).toEqual([real.status, real.location]);
          }
        }
      }
    }
  }
});

describe('a saved case', () => {
  test('expects the current result unless it says otherwise', async () => {
    const id = await addLink({ rules: [rule('de', condition('country', 'DE'))] });
    const made = await post(`/api/url/${id}/case/add`, { name: 'Germans', visitor: { country: 'Germany' } });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ error: 0, id: expect.any(Number), message: 'The case was saved.' });
    expect(made.body.data).toEqual({
      id: made.body.id,
      urlid: id,
      shorturl: expect.stringContaining('/'),
      name: 'Germans',
      visitor: { country: 'DE' },
      expected: { link: 'https://example.com/de', status: 302 },
      actual: expect.objectContaining({ link: 'https://example.com/de', rule: 0, outcome: 'redirect' }),
      passes: true,
      date: expect.any(String),
      version: 1,
    });
    const list = (await server.request('GET', `/api/url/${id}/cases`)).body.data;
    expect(list).toMatchObject({ result: 1, cases: [made.body.data] });
  });

  test('fails once the link does something else, and shows what', async () => {
    const id = await addLink({ rules: [rule('de', condition('country', 'DE'))] });
    await post(`/api/url/${id}/case/add`, { name: 'Germans', visitor: { country: 'DE' } });
    await server.request('PUT', `/api/url/${id}/update`, { body: { rules: [] } });
    const [one] = (await server.request('GET', `/api/url/${id}/cases`)).body.data.cases;
    expect(one).toMatchObject({ passes: false, actual: { link: 'https://example.com/home', rule: null } });
  });

  test('is updated in part and deleted', async () => {
    const id = await addLink({});
    const made = (await post(`/api/url/${id}/case/add`, { name: 'Any', visitor: { at: '2030-05-06' } })).body
      .data;
    expect(made.visitor).toEqual({ at: '2030-05-06 00:00:00' });
    const path = `/api/case/${made.id}`;
    const change = { name: 'Other', expected: { link: 'https://EXAMPLE.com/elsewhere', rule: null } };
    const { body } = await server.request('PUT', `${path}/update`, { body: change });
    expect(body.data).toMatchObject({
      name: 'Other',
      visitor: made.visitor,
      expected: { link: 'https://example.com/elsewhere', rule: null },
      passes: false,
    });
    expect((await server.request('DELETE', `${path}/delete`)).body.error).toBe(0);
    expect((await server.request('DELETE', `${path}/delete`)).status).toBe(404);
    expect((await server.request('GET', `/api/url/${id}/cases`)).body.data.result).toBe(0);
  });

  test.each([
    [{ visitor: {} }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x', visitor: { country: 'Atlantis' } }, 'visitor.country'],
    [{ name: 'x', expected: {} }, 'expected'],
    [{ name: 'x', expected: { link: 'javascript:alert(1)' } }, 'expected.link'],
    [{ name: 'x', expected: { rule: -1 } }, 'expected.rule'],
  ])('refuses %j and names %s', async (body, field) => {
    const id = await addLink({});
    const reply = await post(`/api/url/${id}/case/add`, body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });

  test('belongs to its owner only', async () => {
    const other = secondAccount(server, 'berta');
    const id = await addLink({});
    const made = (await post(`/api/url/${id}/case/add`, { name: 'Mine' })).body;
    const tries = [
      ['POST', `/api/url/${id}/simulate`],
      ['GET', `/api/url/${id}/cases`],
      ['POST', `/api/url/${id}/case/add`],
      ['PUT', `/api/case/${made.id}/update`],
      ['DELETE', `/api/case/${made.id}/delete`],
    ] as const;
    for (const [method, path] of tries) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: { name: 'Theirs' } };
      expect((await other.request(method, path, body)).status).toBe(404);
    }
    expect((await other.request('GET', '/api/cases')).body.data).toMatchObject({ result: 0, cases: [] });
    expect((await server.request('GET', `/api/url/${id}/cases`)).body.data.cases[0].name).toBe('Mine');
  });

  test('is deleted with its link, and inactive while the link is in the trash', async () => {
    const before = (await server.request('GET', '/api/cases')).body.data.result;
    const id = await addLink({});
    await post(`/api/url/${id}/case/add`, { name: 'Short-lived' });
    expect((await server.request('GET', '/api/cases')).body.data.result).toBe(before + 1);
    await server.request('DELETE', `/api/url/${id}/delete`);
    expect((await server.request('GET', '/api/cases')).body.data.result).toBe(before);
    await server.request('DELETE', `/api/url/${id}/delete`);
    const left = server.databases.main.prepare('SELECT count(*) FROM link_cases WHERE link_id = ?').pluck();
    expect(left.get(id)).toBe(0);
  });
});

describe('trying an edit', () => {
  test('reports which expected results it changes', async () => {
    const rules = [rule('de', condition('country', 'DE')), rule('fr', condition('country', 'FR'))];
    const id = await addLink({ rules });
    for (const country of ['DE', 'FR', 'ES'])
      await post(`/api/url/${id}/case/add`, { name: country, visitor: { country } });
    const { body } = await post(`/api/url/${id}/simulate`, {
      country: 'FR',
      change: { rules: [rules[0], rule('france', condition('country', 'FR'))] },
    });
    expect(body.message).toBe('This edit changes 1 of 3 saved cases.');
    expect(body.data).toMatchObject({ link: 'https://example.com/france', rule: 1 });
    expect(body.data.cases).toEqual({
      total: 3,
      changed: 1,
      changes: [
        {
          id: expect.any(Number),
          name: 'FR',
          expected: { link: 'https://example.com/fr', status: 302 },
          before: expect.objectContaining({ link: 'https://example.com/fr', rule: 1 }),
          after: expect.objectContaining({ link: 'https://example.com/france', rule: 1 }),
          passes: false,
        },
      ],
    });
    const stored = (await server.request('GET', `/api/url/${id}`)).body.details.rules;
    expect(stored[1].link).toBe('https://example.com/fr');
  });

  test('changes none if it only reorders independent rules', async () => {
    const rules = [rule('de', condition('country', 'DE')), rule('fr', condition('country', 'FR'))];
    const id = await addLink({ rules });
    await post(`/api/url/${id}/case/add`, { name: 'DE', visitor: { country: 'DE' } });
    const { body } = await post(`/api/url/${id}/simulate`, { change: { rules: rules.toReversed() } });
    expect(body.data.cases).toEqual({ total: 1, changed: 0, changes: [] });
  });

  test('takes an unsaved password into account', async () => {
    const id = await addLink({});
    const { body } = await post(`/api/url/${id}/simulate`, { change: { password: 'secret' } });
    expect(body.data.outcome).toBe('password');
  });
});

describe('a link that does not exist yet', () => {
  const tryNew = (visitor: object, link: object) =>
    post('/api/url/simulate', { ...visitor, link: { url: 'https://example.com/home', ...link } });

  test('responds as it will once created, and is not created by trying it', async () => {
    const rules = [
      rule('de', condition('country', 'DE'), condition('query', 'ref=mail')),
      rule('any', condition('query', 'ref')),
    ];
    const count = async () => (await server.request('GET', '/api/urls')).body.data.result;
    const before = await count();
    const visitors = [
      { country: 'DE', query: 'ref=mail' },
      { country: 'FR', query: 'ref=mail' },
      { country: 'DE', query: '' },
    ];
    const tried = [];
    for (const visitor of visitors) tried.push((await tryNew(visitor, { rules, redirect: 307 })).body.data);
    expect(await count()).toBe(before);
    expect(tried.map(({ link }) => link)).toEqual([
      'https://example.com/de',
      'https://example.com/any',
      'https://example.com/home',
    ]);
    const id = await addLink({ rules, redirect: 307 });
    for (const [index, visitor] of visitors.entries())
      expect(await simulate(id, visitor)).toEqual(tried[index]);
  });

  test('asks for its password, and accepts the right one', async () => {
    expect((await tryNew({}, { password: 'secret' })).body.data.outcome).toBe('password');
    expect((await tryNew({ unlocked: true }, { password: 'secret' })).body.data.outcome).toBe('redirect');
  });

  test('is validated as if it were created', async () => {
    const nowhere = await tryNew({}, { url: '' });
    const foreign = await tryNew({}, { campaign: 987_654 });
    expect([nowhere, foreign].map(({ status }) => status)).toEqual([400, 400]);
  });
});

test('one visitor is simulated on all links, a page at a time', async () => {
  const other = secondAccount(server, 'carl');
  for (const [alias, country] of [
    ['all-one', 'DE'],
    ['all-two', 'FR'],
    ['all-three', 'DE'],
  ]) {
    const body = {
      url: 'https://example.com/',
      custom: alias,
      rules: [rule('met', condition('country', country))],
    };
    await other.request('POST', '/api/url/add', { body });
  }
  const { body } = await other.request('POST', '/api/urls/simulate?limit=2', { body: { country: 'DE' } });
  expect(body.data).toMatchObject({ result: 3, perpage: 2, nextpage: 2, maxpage: 2 });
  expect(
    body.data.urls.map(({ alias, rule, link }: { alias: string; rule: number | null; link: string }) => [
      alias,
      rule,
      link,
    ]),
  ).toEqual([
    ['all-three', 0, 'https://example.com/met'],
    ['all-two', null, 'https://example.com/'],
  ]);
  const found = await other.request('POST', '/api/urls/simulate?q=all-one', { body: { country: 'DE' } });
  expect(found.body.data.urls).toHaveLength(1);
});

test('a read-only key may simulate, but not save', async () => {
  const { body } = await post('/api/key/add', { name: 'reader', scopes: ['links:read'] });
  const id = await addLink({});
  const key = body.data.api_key;
  expect((await server.request('POST', `/api/url/${id}/simulate`, { key, body: {} })).status).toBe(200);
  expect((await server.request('POST', '/api/urls/simulate', { key, body: {} })).status).toBe(200);
  const link = { url: 'https://example.com/' };
  expect((await server.request('POST', '/api/url/simulate', { key, body: { link } })).status).toBe(200);
  const refused = await server.request('POST', `/api/url/${id}/case/add`, { key, body: { name: 'No' } });
  expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
});

test('the server announces the simulator', async () => {
  const { body } = await server.request('GET', '/api/meta', { key: null });
  expect(body.data.features).toContain('simulate');
});

test('a reply of a later server, with unknown reasons and findings, is read without them', async () => {
  const id = await addLink({ rules: [rule('fr', condition('country', 'FR'))] });
  const data = await simulate(id, { country: 'FR' });
  const read = simulation.parse({
    ...data,
    reason: { ...data.reason, code: 'tide' },
    steps: [{ ...data.steps[0], found: { tide: 'high' } }],
  });
  expect([read.reason, read.steps[0]?.found]).toEqual([undefined, undefined]);
  expect([read.why, read.steps[0]?.why]).toEqual([data.why, data.steps[0].why]);
  expect(simulation.parse(data)).toEqual(data);
});
