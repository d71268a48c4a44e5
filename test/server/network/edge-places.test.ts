import { expect, test, vi } from 'vitest';
import { edgePlaces } from '../../../server/network/fleet/edge-places.ts';
import type { FleetQueries } from '../../../server/network/fleet/queries.ts';

function noting() {
  const written: string[] = [];
  const warn = vi.fn();
  const state = { at: 1_000_000, mayWrite: true, stored: '[]', fails: false };
  const note = edgePlaces({
    queries: {
      edge: () => ({ addresses: state.stored }) as ReturnType<FleetQueries['edge']>,
      noteAddresses(_id, found) {
        if (state.fails) throw new Error('the disk is full');
        state.stored = JSON.stringify(found);
        written.push(found.join());
      },
    },
    mayWrite: () => state.mayWrite,
    transactions: { provisionally: (work) => work() },
    now: () => state.at,
    log: { warn },
  });
  return { note: (...addresses: string[]) => note(1, addresses), state, warn, written };
}

test("an edge's public addresses are written when they are new, and at most once a minute", () => {
  const { note, state, written } = noting();
  for (let report = 0; report < 120; report += 1) {
    note(`5.6.7.${report % 2}`);
    state.at += 1_000;
  }
  expect(written).toEqual(['5.6.7.0', '5.6.7.1']);
  for (let report = 0; report < 120; report += 1) note('5.6.7.1');
  expect(written).toHaveLength(2);
});

test('are not written while writes are blocked, but afterwards', () => {
  const { note, state, written } = noting();
  state.mayWrite = false;
  note('5.6.7.8');
  expect(written).toEqual([]);
  state.mayWrite = true;
  note('5.6.7.8');
  expect(written).toEqual(['5.6.7.8']);
});

test('do no harm if they cannot be written, and are retried a minute later', () => {
  const { note, state, warn, written } = noting();
  state.fails = true;
  note('5.6.7.8');
  note('5.6.7.8');
  expect([warn.mock.calls.length, written]).toEqual([1, []]);
  state.fails = false;
  state.at += 60_000;
  note('5.6.7.8');
  expect(written).toEqual(['5.6.7.8']);
});
