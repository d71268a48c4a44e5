import { expect, test } from 'vitest';
import { planByClaim, rolesByClaim } from '../../../server/contract/claims.ts';

test('the first matching row of a claim wins, for each team separately', () => {
  const plans = [
    { value: 'sales', planid: 3 },
    { value: 'all', planid: 1 },
  ];
  expect(planByClaim(['all', 'sales'], plans)).toBe(3);
  expect(planByClaim(['all'], plans)).toBe(1);
  expect(planByClaim(['board'], plans)).toBeUndefined();
  const teams = [
    { value: 'leads', team: 7, role: 'admin' as const },
    { value: 'all', team: 7, role: 'viewer' as const },
    { value: 'ops', team: 8, role: 'editor' as const },
  ];
  expect([...rolesByClaim(['all', 'leads'], teams)]).toEqual([
    [7, 'admin'],
    [8, undefined],
  ]);
  expect([...rolesByClaim(['all', 'ops'], teams)]).toEqual([
    [7, 'viewer'],
    [8, 'editor'],
  ]);
});
