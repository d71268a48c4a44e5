import { describe, expect, it, vi } from 'vitest';
import { ref } from 'vue';
import { followLink } from '../../../renderer/content/links/follow-link.ts';
import { type KeptRows, pagedRows } from '../../../renderer/content/links/paged-rows.ts';

interface Row {
  readonly id: number;
  readonly name?: string;
}

/** A list of the rows of `server.rows` in pages of 10, and which pages were asked for. */
function listOver(server: { rows: Row[]; fail?: boolean }, kept?: KeptRows<Row>) {
  const asked: number[] = [];
  const list = pagedRows<Row>({
    kept,
    pageSize: 10,
    async fetchPage(page) {
      asked.push(page);
      if (server.fail) throw new Error('away');
      return { total: server.rows.length, rows: server.rows.slice((page - 1) * 10, page * 10) };
    },
  });
  return { list, asked };
}

function rowsUpTo(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
}

describe('a long list in pages', () => {
  it('has its full length after the first page, with gaps for the others', async () => {
    const { list, asked } = listOver({ rows: rowsUpTo(95) });
    await list.reset();
    expect(list.total.value).toBe(95);
    expect(list.rows.value).toHaveLength(95);
    expect(list.rows.value[50]).toBeUndefined();
    await list.ensure(48, 63);
    expect(asked).toEqual([1, 5, 6, 7]);
    expect(list.rows.value[50]?.id).toBe(51);
  });

  it('loads where scrolling stops, and little on the way', async () => {
    vi.useFakeTimers();
    try {
      const { list, asked } = listOver({ rows: rowsUpTo(2000) });
      await list.reset();
      for (let first = 0; first < 1000; first += 10) {
        void list.seen(first, first + 9);
        await vi.advanceTimersByTimeAsync(10);
      }
      expect(asked.length).toBeLessThan(6);
      await vi.advanceTimersByTimeAsync(100);
      expect(asked.at(-1)).toBe(100);
      expect(list.rows.value[999]?.id).toBe(1000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('begins with the rows it is given, and loads those in sight again', async () => {
    const { list: former } = listOver({ rows: rowsUpTo(95) });
    await former.reset();
    await former.ensure(40, 49);
    const { list, asked } = listOver({ rows: rowsUpTo(94) }, former.keep());
    expect(list.total.value).toBe(95);
    expect(list.rows.value.map((row) => row?.id)).toEqual(former.rows.value.map((row) => row?.id));
    expect(list.indexOf(45)).toBe(44);
    await list.refresh(40, 49);
    expect(asked).toEqual([5]);
    expect(list.total.value).toBe(94);
  });

  it('has its full length after a removal, although most rows were never loaded', async () => {
    const { list } = listOver({ rows: rowsUpTo(95) });
    await list.reset();
    const putBack = list.remove(new Set([3]));
    expect([list.total.value, list.rows.value.length]).toEqual([94, 94]);
    putBack();
    expect([list.total.value, list.rows.value.length]).toEqual([95, 95]);
  });

  it('keeps a place on its link while rows come and go above it', async () => {
    const server = { rows: rowsUpTo(95) };
    const { list } = listOver(server);
    await list.reset();
    const place = ref<number | undefined>(4);
    const { settle } = followLink(place, list);
    server.rows = [{ id: 201 }, { id: 202 }, ...server.rows];
    await list.refresh(0, 9);
    await settle();
    expect([place.value, list.rows.value[6]?.id]).toEqual([6, 5]);
    const putBack = list.remove(new Set([201]));
    expect(place.value).toBe(5);
    putBack();
    expect(place.value).toBe(6);
    // The link itself is deleted: the next one takes its place, and is followed from then on.
    server.rows = server.rows.filter(({ id }) => id !== 5);
    await list.refresh(0, 9);
    await settle();
    expect([place.value, list.rows.value[6]?.id]).toEqual([6, 6]);
    server.rows = server.rows.slice(2);
    await list.refresh(0, 9);
    expect([place.value, list.rows.value[4]?.id]).toEqual([4, 6]);
  });

  it('returns to a link that has moved, as soon as its row is loaded', async () => {
    const server = { rows: rowsUpTo(95) };
    const returning = async () => {
      const { list } = listOver(server);
      await list.reset();
      return { list, place: ref<number>() };
    };
    // Links 1 to 5 have got two new ones above them: number 5 is at place 6, number 49 at 50.
    server.rows = [{ id: 201 }, { id: 202 }, ...server.rows];
    const near = await returning();
    void followLink(near.place, near.list).returnTo(4, 5);
    expect(near.place.value).toBe(6);

    const far = await returning();
    const { returnTo, id } = followLink(far.place, far.list);
    const moved = returnTo(48, 49);
    expect([far.place.value, id()]).toEqual([48, 49]);
    // On the next page.
    expect(await moved).toBe(2);
    expect([far.place.value, id()]).toEqual([50, 49]);
  });

  it('takes the link at its former place if the one it returns to is gone', async () => {
    const { list } = listOver({ rows: rowsUpTo(95).filter((row) => row.id !== 45 && row.id !== 5) });
    await list.reset();
    const near = followLink(ref<number>(), list);
    await near.returnTo(4, 5);
    expect([near.index.value, near.id()]).toEqual([4, 6]);

    const far = followLink(ref<number>(), list);
    expect(await far.returnTo(43, 45)).toBe(0);
    expect([far.index.value, far.id()]).toEqual([43, 46]);
  });

  it('keeps no rows of a view that is being replaced, and none of an empty list', async () => {
    const { list } = listOver({ rows: rowsUpTo(3) });
    const loaded = list.reset();
    expect(list.keep()).toBeUndefined();
    await loaded;
    expect(list.keep()?.total).toBe(3);
    const { list: empty } = listOver({ rows: [] });
    await empty.reset();
    expect(empty.keep()).toBeUndefined();
  });

  it('requests each page once', async () => {
    const { list, asked } = listOver({ rows: rowsUpTo(30) });
    await list.reset();
    await Promise.all([list.ensure(0, 25), list.ensure(0, 25)]);
    await list.ensure(0, 25);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('shows no row twice when new ones arrive above it', async () => {
    const server = { rows: rowsUpTo(30) };
    const { list } = listOver(server);
    await list.reset();
    await list.ensure(0, 29);
    server.rows = [{ id: 100 }, ...server.rows];
    await list.refresh(0, 9);
    const ids = list.rows.value.flatMap((row) => row?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(list.indexOf(1)).toBe(1);
    await list.ensure(10, 30);
    expect(list.rows.value.map((row) => row?.id)).toEqual([100, ...rowsUpTo(30).map((row) => row.id)]);
  });

  it('removes rows immediately and can put them back', async () => {
    const { list } = listOver({ rows: rowsUpTo(12) });
    await list.reset();
    await list.ensure(0, 11);
    const takeBack = list.remove(new Set([2, 5]));
    expect(list.total.value).toBe(10);
    expect(list.rows.value.slice(0, 4).map((row) => row?.id)).toEqual([1, 3, 4, 6]);
    expect(list.indexOf(6)).toBe(3);
    takeBack();
    expect(list.total.value).toBe(12);
    expect(list.rows.value.map((row) => row?.id)).toEqual(rowsUpTo(12).map((row) => row.id));
  });

  it('changes rows immediately and can revert the change', async () => {
    const { list } = listOver({ rows: rowsUpTo(3) });
    await list.reset();
    const takeBack = list.patch([2, 99], (row) => ({ ...row, name: 'new' }));
    expect(list.rows.value[1]?.name).toBe('new');
    takeBack();
    expect(list.rows.value[1]?.name).toBeUndefined();
  });

  it('ignores a reply for an older view', async () => {
    const answers: ((rows: Row[]) => void)[] = [];
    const list = pagedRows<Row>({
      pageSize: 10,
      fetchPage: () =>
        new Promise((resolve) => answers.push((rows) => resolve({ total: rows.length, rows }))),
    });
    const first = list.reset();
    const second = list.reset();
    answers[1]?.([{ id: 2 }]);
    await second;
    answers[0]?.([{ id: 1 }]);
    await first;
    expect(list.rows.value).toEqual([{ id: 2 }]);
  });

  it('keeps the rows and reports the failure if the server is unreachable', async () => {
    const server = { rows: rowsUpTo(5), fail: false };
    const { list } = listOver(server);
    await list.reset();
    server.fail = true;
    await list.refresh(0, 4);
    expect(list.rows.value).toHaveLength(5);
    expect(list.failure.value).toBeInstanceOf(Error);
  });

  it('returns to the last page if the current one is gone', async () => {
    const server = { rows: rowsUpTo(25) };
    const { list } = listOver(server);
    await list.reset();
    await list.ensure(20, 24);
    server.rows = rowsUpTo(8);
    await list.refresh(20, 24);
    expect(list.total.value).toBe(8);
    expect(list.rows.value.map((row) => row?.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

it('notifies everyone who shows the rows of each change', async () => {
  const { list } = listOver({ rows: rowsUpTo(30) });
  await list.reset();
  const seen = [list.rows.value];
  const note = () => seen.push(list.rows.value);
  await list.ensure(10, 19);
  note();
  const takeBack = list.patch([1], (row) => ({ ...row, name: 'new' }));
  note();
  takeBack();
  note();
  list.remove(new Set([1]));
  note();
  expect(new Set(seen).size).toBe(seen.length);
});
