// A program that holds connections to a server in one of many ways until it is stopped. It runs on another machine
// (test/support/other-machine.ts), since this one has no connection limit. Prints "holding" once all were tried.
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';

/** How connections are held, and what is sent on them. */
export const attacks = {
  'silent sockets': {},
  'stalled handshakes': { raw: '\x16\x03\x01\x02\x00\x01\x00' },
  'idle connections': { ask: 'GET /open HTTP/1.1\r\nHost: HOST\r\n\r\n', again: 4_000 },
  'slow heads': { ask: 'GET /open HTTP/1.1\r\nHost: HOST\r\n', drip: 'X-A: b\r\n' },
  'slow forms': {
    ask: 'POST /locked HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n',
    drip: 'p',
  },
  'slow sign-ins': {
    ask: 'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    drip: ' ',
  },
  'answers that nobody reads': { ask: 'GET ASSET HTTP/1.1\r\nHost: HOST\r\n\r\n', deaf: true },
  'requests far ahead of their answers': {
    ask: 'GET ASSET HTTP/1.1\r\nHost: HOST\r\n\r\n'.repeat(700),
    deaf: true,
  },
} satisfies Record<string, Attack>;
export type AttackName = keyof typeof attacks;

interface Attack {
  /** Bytes below TLS; nothing more follows. */
  raw?: string;
  /** Sent at once. */
  ask?: string;
  /** Sent repeatedly, once a second. */
  drip?: string;
  /** Milliseconds before the next request. */
  again?: number;
  /** Does not read the response. */
  deaf?: boolean;
}

export interface AttackOptions {
  name: AttackName;
  address: string;
  port: number;
  isSecure: boolean;
  /** The path of a large file. */
  asset: string;
  count: number;
}

function hold({ name, address, port, isSecure, asset }: AttackOptions): Promise<void> {
  const attack: Attack = attacks[name];
  const ask = attack.ask?.replaceAll('HOST', `${address}:${port}`).replaceAll('ASSET', asset);
  const raw = connect({ host: address, port, allowHalfOpen: true });
  raw.on('error', () => {});
  if (attack.raw !== undefined) raw.write(attack.raw, 'latin1');
  const isBare = ask === undefined || !isSecure;
  const socket: Socket | TLSSocket = isBare
    ? raw
    : connectSecurely({ socket: raw, rejectUnauthorized: false });
  socket.on('error', () => {});
  if (!attack.deaf) socket.on('data', () => {});
  if (ask !== undefined) {
    const timers: NodeJS.Timeout[] = [];
    socket.once(isBare ? 'connect' : 'secureConnect', () => {
      socket.write(ask);
      const { drip, again } = attack;
      if (drip !== undefined) timers.push(setInterval(() => socket.writable && socket.write(drip), 1_000));
      if (again !== undefined) timers.push(setInterval(() => socket.writable && socket.write(ask), again));
    });
    socket.once('close', () => {
      for (const timer of timers) clearInterval(timer);
    });
  }
  return new Promise((resolve) => {
    raw.once('connect', () => resolve());
    raw.once('close', () => resolve());
  });
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] as string) as AttackOptions;
  await Promise.all(Array.from({ length: options.count }, () => hold(options)));
  process.stdout.write('holding\n');
  // Runs until it is stopped, even if every connection was refused.
  setInterval(() => {}, 1_000);
}
