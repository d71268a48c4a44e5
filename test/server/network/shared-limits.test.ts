import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SharedLimits } from '../../../server/visits/redirects/shared-limits.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { visit } from '../../support/visits.ts';

let folder: string;
let server: TestApp | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-limits-'));
  const origin = await startApp({ folder });
  const body = { url: 'https://example.org/', custom: 'limited', clicklimit: 5 };
  expect((await origin.request('POST', '/api/url/add', { body })).status).toBe(200);
  await origin.close();
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers the folder's links with the clicks of limited ones counted by somebody else. */
async function answerWith(consume: SharedLimits['consume']): Promise<TestApp> {
  const limits: SharedLimits = { isUsedUp: () => false, look: async () => 'left', consume };
  const forms = { addAnswer: () => true, addMessage: () => true };
  const files = { open: async () => undefined };
  const answersFor = {
    unlockKey: Buffer.alloc(32),
    limits,
    files,
    onRecorded() {},
    forms,
    names: () => [],
    machines: () => 2,
  };
  server = await startApp({ folder, fresh: true, answersFor });
  return server;
}

test('a click that cannot be counted because of an error is answered, and stops nothing', async () => {
  const edge = await answerWith(() => Promise.reject(new Error('broken')));
  expect((await visit(edge, '/limited')).status).toBe(500);
  expect(edge.logLines().join('')).toContain('a visit to a link could not be answered');
  expect((await visit(edge, '/limited')).status).toBe(500);
});

test('a click is redirected, or refused because none are left or nobody can tell', async () => {
  const verdicts = ['allowed', 'exhausted', 'failed'] as const;
  let asked = 0;
  const edge = await answerWith(() => Promise.resolve(verdicts[asked++ % 3] ?? 'failed'));
  const statuses = [];
  for (const _ of verdicts) statuses.push((await visit(edge, '/limited')).status);
  expect(statuses).toEqual([302, 410, 503]);
});
