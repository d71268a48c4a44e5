import { expect, test } from 'vitest';
import type { Change } from '../../../server/platform/events/changes.ts';
import { feed } from '../../../server/platform/events/feed.ts';

const change: Change = { accountId: 7, resource: 'links', ids: [1, 2] };

test('every listener is notified of a change', () => {
  const told: Change[][] = [[], []];
  const changes = feed<Change>((error) => {
    throw error;
  });
  for (const list of told) changes.subscribe((each) => list.push(each));
  changes.publish(change);
  expect(told).toEqual([[change], [change]]);
});

test('a failing listener is reported, and affects neither the change nor other listeners', () => {
  const errors: unknown[] = [];
  const told: Change[] = [];
  const changes = feed<Change>((error) => errors.push(error));
  const failure = new Error('broken');
  changes.subscribe(() => {
    throw failure;
  });
  changes.subscribe((each) => told.push(each));
  changes.publish(change);
  expect(errors).toEqual([failure]);
  expect(told).toEqual([change]);
});
