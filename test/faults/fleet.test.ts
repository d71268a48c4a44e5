import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { joinFleet } from '../../server/network/fleet/join.ts';
import { lockFolder } from '../../server/platform/database/lock.ts';
import type { TestApp } from '../support/app.ts';
import { newToken, startOrigin } from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startNats } from '../support/nats.ts';
import { runProgram } from '../support/spawned-command.ts';

describe.skipIf(!hasNats)('an edge as a program', () => {
  let nats: NatsServer;
  let server: TestApp;
  let folder = '';

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats);
    folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
  });

  afterAll(async () => {
    await server.close();
    await nats.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (...options: string[]) =>
    runProgram('edge', '--data', folder, '--host', '127.0.0.1', '--port', '0', ...options);

  test('does not use up its token for a folder that another process holds', async () => {
    const { token } = await newToken(server);
    const lock = lockFolder(folder);
    const { code, err } = await start('--join', token);
    expect([code, err]).toEqual([3, expect.stringContaining('already uses the data folder')]);
    lock.close();
    const joined = await joinFleet({ folder, token, version: '1', now: server.clock.now() });
    expect(joined.name).toBe('Oslo');
  });

  test('ends at once, with a sentence, for a token that works no more', async () => {
    const { code, err } = await start('--join', 'wayedge_changed');
    expect([code, err]).toEqual([2, expect.stringContaining('cut or changed')]);
  });
});
