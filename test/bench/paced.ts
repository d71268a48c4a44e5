import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

interface Options {
  port: number;
  paths: readonly string[];
  seconds: number;
  /** Requests a second, sent whether the ones before were answered or not. */
  rate: number;
}

/**
 * Asks for redirects at a rate that leaves the server idle most of the time, so that what is measured is how long one
 * visitor waits and not how much the machine can do. Returns the 99th percentile in milliseconds, counted from the moment
 * at which a request was due. Throws when one is not a redirect.
 */
export async function pacedP99({ port, paths, seconds, rate }: Options): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const waits: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < seconds * rate; sent += 1) {
    const due = startedAt + (sent * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    waits.push(followed(agent, port, paths[sent % paths.length] ?? '/').then(() => performance.now() - due));
  }
  const sorted = (await Promise.all(waits)).sort((one, other) => one - other);
  agent.destroy();
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

function followed(agent: Agent, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.resume();
      const { statusCode } = response;
      if (statusCode === 302) response.on('end', resolve);
      else reject(new Error(`${path} answered ${statusCode}`));
    }).on('error', reject);
  });
}
