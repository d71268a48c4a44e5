import { expect, it } from 'vitest';
import {
  linesOfPlans,
  linesOfTeams,
  plansOf,
  teamsOf,
} from '../../../renderer/operations/single-sign-on/claim-lines.ts';

it('claims are written a line for each value, and read as they were written', () => {
  const plans = [{ value: 'cn=sales = all', planid: 3 }];
  const teams = [{ value: 'developers', team: 12, role: 'editor' as const }];
  expect(plansOf(linesOfPlans(plans))).toEqual(plans);
  expect(teamsOf(linesOfTeams(teams))).toEqual(teams);
});

it('a line that says something else is not taken for anything', () => {
  expect(plansOf(['sales'])).toBeUndefined();
  expect(plansOf(['sales = pro'])).toBeUndefined();
  expect(teamsOf(['developers = 12 owner'])).toBeUndefined();
});
