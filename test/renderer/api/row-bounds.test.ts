import { describe, expect, it } from 'vitest';
import { withBoundedRows } from '../../../renderer/api/row-bounds.ts';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const reply = (body: unknown) => ({ status: 200, headers: {}, body });
const dataOf = (body: unknown, isPaged: boolean) =>
  (withBoundedRows(reply(body), isPaged).body as { data: unknown }).data;

describe('a reply with more rows than a list has', () => {
  it('is cut to the most that a page can have, and stays otherwise as it came', () => {
    const body = { error: 0, data: { result: 7_000, urls: rows(7_000), maxpage: 2 } };
    expect(dataOf(body, true)).toEqual({ result: 7_000, urls: rows(100), maxpage: 2 });
    expect(body.data.urls).toHaveLength(7_000);
  });

  it('is cut as well where the list is beside the counts, as that of files is', () => {
    const { body } = withBoundedRows(reply({ error: 0, result: 300, list: rows(300) }), true);
    expect(body).toEqual({ error: 0, result: 300, list: rows(100) });
  });

  it('may be longer where the list comes whole, and not endless', () => {
    expect(dataOf({ data: rows(4_000) }, false)).toHaveLength(4_000);
    expect(dataOf({ data: rows(9_000) }, false)).toHaveLength(5_000);
    expect(dataOf({ data: { hours: rows(9_000) } }, false)).toEqual({ hours: rows(5_000) });
  });

  it.each([null, 42, 'text', [1], {}, { data: null }, { data: 7 }, { data: { urls: 'none' } }])(
    'is left alone as %j',
    (body) => {
      expect(withBoundedRows(reply(body), true)).toEqual(reply(body));
    },
  );
});
