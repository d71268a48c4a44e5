import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { h } from 'vue';
import { RouterView } from 'vue-router';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import type { AuditEntry } from '../../../server/contract/audit.ts';
import { account, meta, openPage, type Page, settle } from '../page.ts';

const entry = (id: number, action: string, further: Partial<AuditEntry>): AuditEntry => ({
  id,
  date: '2027-01-15 12:00:00',
  action,
  user: { id: 1, username: 'ada' },
  actor: { id: 1, username: 'ada' },
  key: null,
  address: '127.0.0.1',
  details: {},
  ...further,
});
const entries = [
  entry(4, 'links.imported', { details: { count: 1200 }, record: { kind: 'links', id: null, title: null } }),
  entry(3, 'campaigns.deleted', {
    details: { title: 'Spring' },
    record: { kind: 'campaigns', id: 7, title: 'Spring' },
  }),
  entry(2, 'robots.created', { details: { title: 'R2' } }),
  entry(1, 'key.added', { details: { key: 'Script' } }),
];

describe('the activity page', () => {
  let page: Page;
  beforeEach(() => storedTokens(localStorage).write('local', 'the-token'));

  async function open(...added: string[]): Promise<void> {
    const described = meta(false);
    const features = [...described.body.data.features, ...added];
    page = await openPage(() => h(UApp, () => h(RouterView)) as never, '/activity', {
      'GET /api/meta': { body: { ...described.body, data: { ...described.body.data, features } } },
      'GET /api/account': { body: { error: 0, data: { ...account, admin: true } } },
      'GET /api/audit/people': { body: { error: 0, data: [{ id: 1, username: 'ada' }] } },
      'GET /api/audit': {
        body: {
          error: 0,
          data: { result: 4, perpage: 50, currentpage: 1, nextpage: null, maxpage: 1, audit: entries },
        },
      },
    });
    await settle();
  }
  const asked = () => {
    const paths = page.requests.map(({ path }) => path).filter((path) => /^\/api\/audit\?/.test(path));
    return Object.fromEntries(new URLSearchParams(paths.at(-1)?.split('?')[1]));
  };
  const click = (name: string) =>
    document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();
  const rows = () => [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent ?? '');

  test('describes what was done to which record, and to how many at once', async () => {
    await open('activity');
    expect(asked()).toMatchObject({ view: 'all' });
    expect(rows()[0]).toContain('Imported 1,200 records');
    expect(rows()[0]).toContain('Links');
    expect(rows()[1]).toContain('Deleted a campaign');
    expect(rows()[1]).toContain('“Spring”');
    // Each in its own direction, in a page that runs from right to left, too.
    expect(rows()[1]).toMatch(/\u2068[^\u2069]+\u2069 · \u2068“Spring”\u2069/);
    // What a newer server writes is shown by its own name.
    expect(rows()[2]).toContain('robots.created');
    expect(rows()[3]).toContain('Created an API key');
  });

  test('can be limited to one record, and reset', async () => {
    await open('activity');
    click('Show only Spring');
    await settle();
    expect(asked()).toMatchObject({ kind: 'campaigns', record: '7' });
    click('Show all records');
    await settle();
    expect(asked()).toMatchObject({ kind: 'campaigns' });
    expect(asked().record).toBeUndefined();
  });

  test('sends older servers no unknown parameters', async () => {
    await open();
    expect(Object.keys(asked()).sort()).toEqual(['limit', 'page']);
    expect(page.requests.some(({ path }) => path.startsWith('/api/audit/people'))).toBe(false);
  });
});
