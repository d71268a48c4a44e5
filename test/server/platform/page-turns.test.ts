import { expect, test } from 'vitest';
import { pageReply } from '../../../server/platform/http/pagination.ts';

test('presenting a page of a thousand rows yields to others', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => row);
  let presented = 0;
  const seen = new Set<number>();
  let isOver = false;
  const look = () => {
    seen.add(presented);
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const reply = await pageReply('rows', { rows, total: 5000 }, { limit: 1000, page: 2 }, (row) => {
    presented += 1;
    return { row };
  });
  isOver = true;
  expect(reply.data.rows).toEqual(rows.map((row) => ({ row })));
  expect(reply.data).toMatchObject({ result: 5000, currentpage: 2, nextpage: 3 });
  const steps = [0, ...seen, 1000].sort((one, other) => one - other);
  const largest = Math.max(...steps.slice(1).map((step, index) => step - (steps[index] ?? 0)));
  expect(largest).toBeLessThanOrEqual(100);
});
