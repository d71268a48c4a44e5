import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ceiling, ceilings } from '../../../server/identity/plans/ceilings.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
let link: number;
beforeAll(async () => {
  server = await startApp({ ratelimit: 10_000 });
  const made = await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
  link = made.body.id;
});
afterAll(() => server.close());

interface Resource {
  path: string;
  body?: object;
  /** What is sent in place of a body in JSON. */
  rawBody?: string;
  table: string;
  /** What a row has beside its id, in terms of its number `i`. */
  row: Record<string, string>;
}

const own = { user_id: '1', created_at: '1' };
const named = { ...own, name: "'n' || i" };
const content = { text: 'Hello' };
/** Passkeys and identities take more than one request to add: their own tests try their ceilings. */
const resources: Record<Exclude<Ceiling, 'passkeys' | 'identities'>, Resource> = {
  bioPages: {
    path: '/api/bio/add',
    body: { name: 'One more' },
    table: 'bio_pages',
    row: { ...named, alias: "'a' || i", theme: "'plain'", search: "''" },
  },
  campaigns: {
    path: '/api/campaign/add',
    body: { name: 'One more' },
    table: 'campaigns',
    row: { ...named, name_folded: "'n' || i" },
  },
  channels: {
    path: '/api/channel/add',
    body: { name: 'One more' },
    table: 'channels',
    row: { ...named, name_folded: "'n' || i" },
  },
  domains: {
    path: '/api/domain/add',
    body: { domain: 'one-more.example.com' },
    table: 'domains',
    row: { ...own, host: "'h' || i || '.example.com'" },
  },
  files: {
    path: '/api/files/upload/one-more.txt',
    rawBody: 'One more',
    table: 'files',
    row: {
      ...named,
      alias: "'f' || i",
      filename: "'f'",
      search: "'f'",
      storage: "'s' || i",
      size: '1',
    },
  },
  invitations: {
    path: '/api/invite/add',
    body: {},
    table: 'invitations',
    row: { hash: 'randomblob(32)', created_by: '1', created_at: '1', expires_at: '9e15' },
  },
  keys: {
    path: '/api/key/add',
    body: { name: 'One more' },
    table: 'keys',
    row: { ...named, kind: "'custom'", hash: 'randomblob(32)', prefix: "'wp'" },
  },
  overlays: {
    path: '/api/overlay/add',
    body: { name: 'One more', type: 'message', content },
    table: 'overlays',
    row: { ...named, type: "'message'", position: "'top'", colors: "'{}'", content: "'{}'" },
  },
  pixels: {
    path: '/api/pixel/add',
    body: { type: 'fbpixel', name: 'One more', tag: '123456789012345' },
    table: 'pixels',
    row: { ...named, type: "'fbpixel'", tag: "'123456789012345'" },
  },
  qrCodes: {
    path: '/api/qr/add',
    body: { type: 'text', data: 'One more' },
    table: 'qr_codes',
    row: {
      ...named,
      alias: "'a' || i",
      type: "'text'",
      data: "'{}'",
      dynamic: '1',
      style: "'{}'",
      search: "''",
    },
  },
  simulatorCases: {
    path: '/api/url/:link/case/add',
    body: { name: 'One more' },
    table: 'link_cases',
    row: { link_id: ':link', name: "'n'", visitor: "'{}'", expected: "'{}'", created_at: '1' },
  },
  splashPages: {
    path: '/api/splash/add',
    body: { name: 'One more' },
    table: 'splash_pages',
    row: { ...named, counter: '5' },
  },
  utmTemplates: {
    path: '/api/utm/add',
    body: { name: 'One more', source: 'mail' },
    table: 'utm_templates',
    row: { ...named, name_folded: "'n' || i" },
  },
  webhooks: {
    path: '/api/webhook/add',
    body: { url: 'https://hooks.example.com/in', events: ['*'] },
    table: 'webhooks',
    row: { ...own, url: "'https://hooks.example.com/'", events: `'["*"]'`, secret: "'x'" },
  },
};

test.each(Object.entries(resources) as [Ceiling, Resource][])(
  'one account has no more %s than their limit',
  async (ceiling, { path, body, rawBody, table, row }) => {
    const { main } = server.databases;
    // Cases have a bound by link as well, so these are of another one.
    let holder = link;
    if (ceiling === 'simulatorCases') {
      const other = await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/2' } });
      holder = other.body.id;
    }
    const values = Object.values(row).map((value) => value.replace(':link', String(holder)));
    const add = () =>
      server.request('POST', path.replace(':link', String(link)), { body, ...(rawBody && { rawBody }) });
    const { most } = ceilings[ceiling];
    main
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most})
         INSERT INTO ${table} (${Object.keys(row).join(', ')}) SELECT ${values.join(', ')} FROM n`,
      )
      .run();
    const refused = await add();
    expect([refused.status, refused.body.code]).toEqual([400, 'too_many']);
    expect(refused.body.message).toContain(most.toLocaleString('en'));
    main.prepare(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`).run();
    expect((await add()).body.code).not.toBe('too_many');
    expect((await add()).body.code).toBe(ceiling === 'domains' ? 'dns_mismatch' : 'too_many');
  },
  20_000,
);
