import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { takeInShipped } from '../../../server/network/fleet/intake.ts';
import { fleetSeal } from '../../../server/network/fleet/seal.ts';
import type { FleetSession } from '../../../server/network/fleet/session.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';

const log = randomUUID();
const entry = { kind: 'answer', createdAt: 1, overlay: 1, sender: 'somebody', value: 'one', at: 2 };
const shipped = {
  clicks: {
    ...{ log, edge: 1, epoch: 1, words: [] },
    rows: [[1, 1, 5, 7, 0, null, 0, Array(12).fill(0), null]],
  },
  entries: { log, edge: 1, entries: [[1, entry]] },
};

test.each(['clicks', 'entries'] as const)(
  '%s waiting for room when the connection to the engine ends are left to the next one, which receives them again',
  async (kind) => {
    const seal = fleetSeal(Buffer.alloc(32));
    const subject = fleetSubjects.clicks.of(1);
    const data = seal.seal(JSON.stringify(shipped[kind]), subject);
    let isClosed = false;
    let hasRoom = false;
    const asked = vi.fn();
    const written = vi.fn();
    async function* messages() {
      yield { subject, data, seq: 1, time: new Date(10) };
    }
    const consumed = () => Object.assign(messages(), { status: async function* () {}, stop() {} });
    // Of the engine, only what the intake asks for.
    const engine = {
      connection: { isClosed: () => isClosed, closed: () => new Promise(() => {}) },
      manager: { streams: { info: async () => ({ created: 'now', state: { first_seq: 1, last_seq: 1 } }) } },
      streams: { consumers: { get: async () => ({ consume: async () => consumed() }) } },
    } as unknown as FleetSession['engine'];
    const take = () => {
      asked();
      if (hasRoom) written();
      return hasRoom;
    };
    const logQueries = {
      sequence: () => 0,
      source: () => 0,
      lastLinkOf: () => 9,
    } as unknown as Parameters<typeof takeInShipped>[0]['logQueries'];
    const edge = { revoked_at: null } as unknown as ReturnType<
      Parameters<typeof takeInShipped>[0]['queries']['edge']
    >;
    const done = takeInShipped(
      {
        ...{ queries: { edge: () => edge }, logQueries, log: { warn() {} } },
        ...{ storeShipped: take, takeEntries: take, onUnreadable() {} },
      },
      { engine, seal, subjects: fleetSubjects },
    );
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    isClosed = true;
    hasRoom = true;
    await done;
    expect(written).not.toHaveBeenCalled();
  },
);
