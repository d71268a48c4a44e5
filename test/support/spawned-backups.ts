import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SpawnedServer } from './spawned-server.ts';

const program = join(import.meta.dirname, '../../out/main/server.js');

/** Arguments of a server without the scheduled backup, which would come between. */
export const calm = ['--ratelimit', '1000000', '--backup', 'false'];

/** What the tests of backups ask a server in a process of its own for. */
export interface BackupClient {
  /** One request; status and document. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
  send(path: string, body?: object | Buffer, agent?: Agent): Promise<{ status: number; body: any }>;
  addLink(alias: string, agent?: Agent): Promise<void>;
  /** Starts a backup and waits until it was checked; answers its file. */
  backUp(): Promise<string>;
}

/** A client with the key of an account. */
export function clientOf({ port }: SpawnedServer, key: string): BackupClient {
  const send: BackupClient['send'] = (path, body, agent) =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          agent,
          method: body ? 'POST' : 'GET',
          headers: {
            Authorization: `Bearer ${key}`,
            ...(body && !Buffer.isBuffer(body) && { 'Content-Type': 'application/json' }),
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
        },
      );
      sent.on('error', reject);
      sent.end(Buffer.isBuffer(body) ? body : body && JSON.stringify(body));
    });

  return {
    send,
    async addLink(alias, agent) {
      const reply = await send('/api/url/add', { url: `https://example.com/${alias}`, custom: alias }, agent);
      expect(reply.status).toBe(200);
    },
    async backUp() {
      const { id } = (await send('/api/backup/add', {})).body;
      for (;;) {
        const { data } = (await send('/api/backups')).body;
        if (data.running === null) {
          expect(data.failure).toBeNull();
          const made = data.backups.find((each: { id: number }) => each.id === id);
          expect(made.state).toBe('restorable');
          return join(data.folder, made.filename);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** Restores a backup by the command line. `ended` is the exit code. */
export function restore(file: string, data: string): { ended: Promise<unknown>; kill: () => boolean } {
  const child = spawn(process.execPath, [program, 'restore', file, '--data', data, '--without-keys'], {
    stdio: 'ignore',
  });
  return { ended: once(child, 'exit').then(([code]) => code), kill: () => child.kill('SIGKILL') };
}
