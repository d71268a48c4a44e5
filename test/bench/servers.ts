import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openReader } from '../../server/platform/database/connect.ts';
import { type SpawnedServer, spawnServer } from '../support/spawned-server.ts';
import { type Side, untilIdle } from './alternately.ts';
import { processorTime } from './wrk.ts';

/** A server that is measured. */
export interface MeasuredServer extends Side {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Our server, with figures from its log. */
export interface OurServer extends MeasuredServer {
  startMs: number;
  /** Clicks that are answered but not counted yet. */
  uncounted(): number;
  /** How long the oldest uncounted click has been waiting, in milliseconds; 0 if all are counted. */
  lagMs(): number;
  /** Clicks that were ever logged. */
  logged(): number;
}

/** The bare `node:http` server in its own process. It is idle when it gets no requests. */
export function startBare(): Promise<MeasuredServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) =>
      resolve({
        port: Number(chunk.toString()),
        pid: child.pid ?? 0,
        settle: async () => {},
        stop() {
          child.kill();
          return ended;
        },
      }),
    );
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
}

/** Our server on a data folder, with separate access to its database. */
export async function startOurs(folder: string, args: string[] = []): Promise<OurServer> {
  const server: SpawnedServer = await spawnServer(folder, args);
  const { pid, port, startMs } = server;
  return {
    pid,
    port,
    startMs,
    ...logOf(join(folder, 'waypost.sqlite'), pid),
    stop: async () => void (await server.stop()),
  };
}

function logOf(file: string, pid: number) {
  const reader = openReader(file);
  const number = (sql: string) => {
    const statement = reader.prepare<[], number>(sql).pluck();
    return () => statement.get() ?? 0;
  };
  const uncounted = number(
    `SELECT max(0, coalesce((SELECT max(id) FROM clicks), 0) - (SELECT position FROM rollup_position))`,
  );
  const oldest = number(
    'SELECT at FROM clicks WHERE id > (SELECT position FROM rollup_position) ORDER BY id LIMIT 1',
  );
  return {
    uncounted,
    logged: number('SELECT count(*) FROM clicks'),
    lagMs() {
      const at = oldest();
      return at === 0 ? 0 : Date.now() - at;
    },
    settle: () => untilIdle({ uncounted, processorTime: () => processorTime(pid) ?? 0 }),
  };
}
