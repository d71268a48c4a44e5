import { describe, expect, test } from 'vitest';
import { h } from 'vue';
import type { ApiRequest } from '../../../preload/contract.ts';
import { allRecords } from '../../../renderer/api/all-records.ts';
import DomainSelect from '../../../renderer/content/domain-choice/DomainSelect.vue';
import { loadDomainUses } from '../../../renderer/content/domain-choice/use-domains.ts';
import { account, meta, openPage } from '../page.ts';

const never = new AbortController().signal;
const row = (id: number) => ({ id });

describe('the records of all pages', () => {
  test('are there once each, also when rows move between two requests', async () => {
    const pages = [
      [row(1), row(2)],
      [row(2), row(3)],
    ];
    const found = await allRecords(
      async ({ page }) => ({ items: pages[page - 1] ?? [], nextpage: page < 2 ? page + 1 : null }),
      never,
    );
    expect(found).toEqual([row(1), row(2), row(3)]);
  });

  test.each([
    ['the same page', (page: number) => page],
    ['an empty page', (page: number) => page + 1],
  ])('end where a server names %s as the next one', async (_, next) => {
    let asked = 0;
    const found = await allRecords(async ({ page }) => {
      asked += 1;
      return { items: page === 1 ? [row(1)] : [], nextpage: next(page) };
    }, never);
    expect([found, asked <= 2]).toEqual([[row(1)], true]);
  });

  test('are refused with a reason where a server never comes to an end', async () => {
    let asked = 0;
    const endless = allRecords(
      async ({ page }) => {
        asked += 1;
        return { items: [row(page)], nextpage: page + 1 };
      },
      never,
      50,
    );
    await expect(endless).rejects.toThrow('The server lists more than 50 entries.');
    expect(asked).toBe(51);
  });

  test('are not asked for any more when the page that wanted them is left', async () => {
    const stop = new AbortController();
    let asked = 0;
    const cancelled = allRecords(async ({ page }) => {
      asked += 1;
      stop.abort();
      return { items: [row(page)], nextpage: page + 1 };
    }, stop.signal);
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toBe(1);
  });
});

describe('an account with more domains than a page of a list has', () => {
  const hosts = Array.from({ length: 101 }, (_, index) => `www.d${String(index).padStart(3, '0')}.example`);
  const pageIn = ({ path }: ApiRequest) => {
    const query = new URL(path, 'http://x.example').searchParams;
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const found = hosts.slice((page - 1) * limit, page * limit);
    return { found, page, more: page * limit < hosts.length };
  };
  const answers = () => ({
    'GET /api/meta': {
      body: { ...meta(false).body, data: { ...meta(false).body.data, features: ['domains', 'links'] } },
    },
    'GET /api/account': { body: { error: 0, data: account } },
    'GET /api/domains': (request: ApiRequest) => {
      const { found, page, more } = pageIn(request);
      const domains = found.map((host, index) => ({
        id: page * 1000 + index,
        domain: `https://${host}`,
        redirectroot: null,
        redirect404: null,
        dns_type: null,
        status: 1,
      }));
      const counts = {
        result: 101,
        perpage: 100,
        currentpage: page,
        nextpage: more ? page + 1 : null,
        maxpage: 2,
      };
      return { body: { error: 0, data: { ...counts, domains } } };
    },
    'GET /api/domains/overview': (request: ApiRequest) => {
      const counts = {
        links: 7,
        files: 0,
        bios: 0,
        campaigns: 0,
        disabled: false,
        proof: 'proved',
        expires: null,
      };
      const domains = pageIn(request).found.map((host) => ({ ...counts, domain: `https://${host}` }));
      return { body: { error: 0, data: { domains } } };
    },
  });

  test('chooses among all of them, and each is named as the server knows it', async () => {
    const last = hosts.at(-1) ?? '';
    const { text } = await openPage(() => h(DomainSelect, { modelValue: last }) as never, '/', answers());
    expect(text()).toContain(last);
  });

  test('is told what is on the last of them', async () => {
    await openPage(() => h('p') as never, '/', answers());
    const uses = await loadDomainUses(never);
    expect([uses.length, uses.at(-1)]).toEqual([101, expect.objectContaining({ links: 7 })]);
  });
});
