import { expect, vi } from 'vitest';
import { openReader } from '../../server/platform/database/connect.ts';
import { countRows } from '../../server/platform/database/snapshot.ts';
import type { RawReply, TestApp } from './app.ts';

/** Waits until no operation is running, and returns how the last one failed, if it did. */
export async function whenIdle(server: TestApp): Promise<{ code: string; message: string } | null> {
  let failure: { code: string; message: string } | null = null;
  await vi.waitFor(
    async () => {
      const { data } = (await server.request('GET', '/api/backups')).body;
      failure = data.failure;
      if (data.running !== null) throw new Error(`still ${data.running.phase}`);
    },
    { timeout: 60_000, interval: 50 },
  );
  return failure;
}

/** Creates a backup and waits until it is checked; returns its record. */
export async function makeBackup(server: TestApp): Promise<RawReply['body']> {
  const { id } = (await server.request('POST', '/api/backup/add')).body;
  expect(await whenIdle(server)).toBeNull();
  return (await server.request('GET', `/api/backup/${id}`)).body.data;
}

/** The bytes of a backup's file, as a client downloads it. */
export async function downloadOf(server: TestApp, id: number): Promise<Buffer> {
  const { path } = (await server.request('POST', `/api/backup/${id}/ticket`)).body.data;
  const reply = await fetch(server.origin + path);
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

/** Every row of every table except those that a restore itself writes, for comparing two databases. */
export function rowsOf(file: string): Record<string, string> {
  const connection = openReader(file);
  try {
    const written = ['audit', 'failures'];
    const names = Object.keys(countRows(connection)).filter((name) => !written.includes(name));
    return Object.fromEntries(
      names.map((name) => [name, JSON.stringify(connection.prepare(`SELECT * FROM "${name}"`).raw().all())]),
    );
  } finally {
    connection.close();
  }
}
