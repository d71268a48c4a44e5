import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Waiting times of visitors in milliseconds, from when each request was due. */
export interface Waits {
  worst: number;
  p999: number;
  p50: number;
  count: number;
}

/** Follows short links at a steady rate until `stop` is called, whether or not earlier requests were answered. */
export function steadyVisitors(
  port: number,
  paths: readonly string[],
  rate: number,
): { stop(): Promise<Waits> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const waits: Promise<number>[] = [];
  let stopped = false;
  const sending = (async () => {
    const startedAt = performance.now();
    for (let sent = 0; !stopped; sent += 1) {
      const due = startedAt + (sent * 1000) / rate;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      waits.push(
        followed(agent, port, paths[sent % paths.length] ?? '/').then(() => performance.now() - due),
      );
    }
  })();
  return {
    async stop() {
      stopped = true;
      await sending;
      const sorted = (await Promise.all(waits)).sort((one, other) => one - other);
      agent.destroy();
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      return { worst: at(1), p999: at(0.999), p50: at(0.5), count: sorted.length };
    },
  };
}

/**
 * A server that was blocked for seconds closes connections that it considers idle: the visitor then reconnects, having
 * waited all the time.
 */
function followed(agent: Agent, port: number, path: string, tries = 20): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = (error: Error) =>
      tries > 1 ? followed(agent, port, path, tries - 1).then(resolve, reject) : reject(error);
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.resume();
      if (response.statusCode === 302) response.on('end', resolve);
      else reject(new Error(`${path} answered ${response.statusCode}`));
    }).on('error', again);
  });
}
