import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Child, serverProcess } from '../../../main/server/server-process.ts';
import type { ServerState } from '../../../preload/contract.ts';
import { memoryLog } from '../../support/desktop-parts.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the server inside the desktop', () => {
  test('is started with the data folder of the app and the port that it had last', () => {
    const { server, children } = aServer({ port: 8444 });
    server.start();
    expect(children[0]?.args).toEqual([
      'serve',
      '--port',
      '8444',
      '--host',
      '127.0.0.1',
      '--data',
      '/user/data',
      '--desktop',
    ]);
  });

  test('runs once it says where it listens', () => {
    const { server, children, states } = aServer();
    server.start();
    expect(server.state()).toEqual({ state: 'starting' });
    children[0]?.listen();
    expect(states).toEqual([{ state: 'running', origin: 'http://127.0.0.1:8420' }]);
    expect(server.running()).toEqual({ origin: 'http://127.0.0.1:8420', instanceId: 'data-1' });
  });

  test('is tried on the port that it moved to from then on, and the move is told', () => {
    const { server, children, states, kept } = aServer();
    server.start();
    children[0]?.listen(8423);
    expect(kept).toEqual([8423]);
    expect(states).toEqual([{ state: 'running', origin: 'http://127.0.0.1:8423', portTaken: 8420 }]);
  });

  test('is started again at once when it dies', () => {
    const { server, children, states } = aServer();
    server.start();
    children[0]?.listen();
    children[0]?.die(9);
    expect(server.running()).toBeUndefined();
    vi.advanceTimersByTime(0);
    children[1]?.listen();
    expect(states.map(({ state }) => state)).toEqual(['running', 'restarting', 'running']);
  });

  test('is left alone after the fifth restart within ten minutes, and the last words are told', () => {
    const { server, children } = aServer();
    server.start();
    for (let death = 0; death < 6; death++) {
      children.at(-1)?.die(1);
      vi.advanceTimersByTime(10_000);
    }
    expect(children).toHaveLength(6);
    expect(server.state()).toMatchObject({ state: 'stopped', logFile: '/logs/waypost.log' });
  });

  test('gets longer and longer pauses while it keeps dying', () => {
    const { server, children } = aServer();
    server.start();
    const pauses = [0, 1_000, 2_000, 4_000, 8_000].map((pause) => {
      const before = children.length;
      children.at(-1)?.die(1);
      vi.advanceTimersByTime(Math.max(0, pause - 1));
      const tooEarly = pause > 0 && children.length > before;
      vi.advanceTimersByTime(1);
      return { pause, tooEarly, started: children.length === before + 1 };
    });
    expect(pauses).toEqual(pauses.map(({ pause }) => ({ pause, tooEarly: false, started: true })));
  });

  test('may die now and then for as long as it lives', () => {
    const { server, children } = aServer();
    server.start();
    for (let death = 0; death < 20; death++) {
      children.at(-1)?.die(1);
      vi.advanceTimersByTime(5 * 60_000);
    }
    expect(children).toHaveLength(21);
  });

  test.each(['port_taken', 'data_unwritable', 'database_damaged', 'database_newer'])(
    'is not tried again after %s, and its own sentence is told',
    (code) => {
      const { server, children } = aServer();
      server.start();
      children[0]?.fail(code, 'A sentence that says what to do.');
      children[0]?.die(78);
      vi.advanceTimersByTime(60_000);
      expect(children).toHaveLength(1);
      expect(server.state()).toMatchObject({ state: 'stopped', message: 'A sentence that says what to do.' });
    },
  );

  test('waits a little for a data folder that is in use, then says who uses it', () => {
    const { server, children } = aServer();
    server.start();
    for (let start = 0; start < 3; start++) {
      children.at(-1)?.fail('data_in_use', 'Process 17 uses this data folder.');
      children.at(-1)?.die(3);
      vi.advanceTimersByTime(60_000);
    }
    expect(children).toHaveLength(3);
    expect(server.state()).toMatchObject({ state: 'stopped', message: 'Process 17 uses this data folder.' });
  });

  test('is ended when it stays on after it has failed', async () => {
    const { server, children } = aServer();
    server.start();
    children[0]?.fail('database_damaged', 'Restore a backup.');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(children[0]?.kills).toBe(1);
  });

  test('is asked to stop and given its time', async () => {
    const { server, children } = aServer();
    server.start();
    children[0]?.listen();
    const stopped = server.stop();
    expect(children[0]?.told).toEqual([{ type: 'stop' }]);
    await vi.advanceTimersByTimeAsync(9_000);
    children[0]?.die(0);
    await stopped;
    expect(children[0]?.kills).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
  });

  test('is ended when it does not stop within ten seconds', async () => {
    const { server, children } = aServer();
    server.start();
    const stopped = server.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(children[0]?.kills).toBe(1);
    children[0]?.die(15);
    await stopped;
  });

  test('is restarted once, however often the button is pressed', async () => {
    const { server, children } = aServer();
    server.start();
    const restarts = [server.restart(), server.restart()];
    children[0]?.die(0);
    await Promise.all(restarts);
    expect(children).toHaveLength(2);
  });

  test('is no place to send anything to while it is being restarted', async () => {
    const { server, children, states } = aServer();
    server.start();
    children[0]?.listen();
    const restarted = server.restart();
    expect([server.running(), states.at(-1)]).toEqual([undefined, { state: 'starting' }]);
    children[0]?.die(0);
    await restarted;
    children[1]?.listen();
    expect(states.map(({ state }) => state)).toEqual(['running', 'starting', 'running']);
  });

  test('may die as often as at first after a restart by hand', async () => {
    const { server, children } = aServer();
    server.start();
    for (let death = 0; death < 6; death++) {
      children.at(-1)?.die(1);
      vi.advanceTimersByTime(10_000);
    }
    await server.restart();
    children.at(-1)?.die(1);
    vi.advanceTimersByTime(0);
    expect(children).toHaveLength(8);
  });

  test('is believed only about a loopback address', () => {
    const { server, children, log } = aServer();
    server.start();
    children[0]?.say({ type: 'listening', origin: 'http://evil.example:8420', port: 8420, instanceId: 'x' });
    children[0]?.say({ type: 'listening', origin: 'http://127.0.0.1:8420@evil.example', port: 8420 });
    children[0]?.say('listening');
    expect(server.running()).toBeUndefined();
    expect(log.lines).toHaveLength(3);
  });

  test('writes its lines into the log', async () => {
    const { server, children, log } = aServer();
    server.start();
    children[0]?.stdout.write('{"level":30,"msg":"one"}\n{"level":30,');
    children[0]?.stdout.write('"msg":"two"}\n');
    children[0]?.stderr.end('no line end');
    await expect.poll(() => log.lines).toHaveLength(3);
    expect(log.lines).toEqual(
      expect.arrayContaining(['{"level":30,"msg":"one"}', '{"level":30,"msg":"two"}', 'no line end']),
    );
  });

  test('leaves what it wrote last in the log, although its end comes first', async () => {
    const { server, children, log } = aServer();
    server.start();
    children[0]?.stderr.write('Error: Cannot find');
    children[0]?.die(1);
    children[0]?.stderr.end(" module 'gone'\n    at the first line\n");
    await expect
      .poll(() => log.lines.join('\n'))
      .toContain("Error: Cannot find module 'gone'\n    at the first line");
  });

  test('is not started again while the app may end, but is when the app stays', () => {
    const { server, children } = aServer();
    server.start();
    children[0]?.listen();
    server.mayEnd(true);
    children[0]?.die(130);
    vi.advanceTimersByTime(10_000);
    expect(children).toHaveLength(1);
    server.mayEnd(false);
    expect(children).toHaveLength(2);
  });

  test('is tried again when the system begins no process for it, and the one that came late is ended', () => {
    const { server, children, states, log } = aServer({ unbegun: 1 });
    server.start();
    vi.advanceTimersByTime(30_000);
    expect(states.at(-1)).toEqual({ state: 'restarting', attempt: 1 });
    expect(log.lines.join()).toContain('not_started');
    vi.advanceTimersByTime(1);
    children[1]?.listen();
    expect(server.state()).toMatchObject({ state: 'running' });
    children[0]?.begin();
    expect(children.map(({ kills }) => kills)).toEqual([1, 0]);
    children[0]?.listen(8499);
    children[0]?.die(0);
    vi.advanceTimersByTime(60_000);
    expect(server.running()?.origin).toBe('http://127.0.0.1:8420');
    expect(children).toHaveLength(2);
  });

  test('that the system has not begun holds up the end for two seconds at most, and is ended if it comes', async () => {
    const { server, children } = aServer({ unbegun: 1 });
    server.start();
    let hasStopped = false;
    const stopped = server.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(hasStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(hasStopped).toBe(true);
    await stopped;
    children[0]?.begin();
    expect(children[0]?.kills).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
  });

  test('that the system begins while it is asked to stop is waited for', async () => {
    const { server, children } = aServer({ unbegun: 1 });
    server.start();
    let hasStopped = false;
    const stopped = server.stop().then(() => {
      hasStopped = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    children[0]?.begin();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([hasStopped, children[0]?.kills]).toEqual([false, 0]);
    children[0]?.die(0);
    await stopped;
    expect(children).toHaveLength(1);
  });

  test('that the system never begins a process for is stopped, and says so', () => {
    const { server } = aServer({ unbegun: 6 });
    server.start();
    vi.advanceTimersByTime(300_000);
    expect(server.state()).toEqual({
      state: 'stopped',
      message: 'The server could not be started. See the log file.',
      logFile: '/logs/waypost.log',
    });
  });

  test('that cannot be forked is stopped, and says so', () => {
    const server = serverProcess({
      fork() {
        throw new Error('no memory');
      },
      dataFolder: '/user/data',
      log: memoryLog(),
      now: () => performance.now(),
      port: { read: () => 8420, keep: () => {} },
    });
    server.start();
    expect(server.state()).toMatchObject({ state: 'stopped' });
  });
});

/** Of the first `unbegun` processes the system begins none. */
function aServer(options: { port?: number; unbegun?: number } = {}) {
  const children: ReturnType<typeof aChild>[] = [];
  const states: ServerState[] = [];
  const kept: number[] = [];
  const log = memoryLog();
  const server = serverProcess({
    fork(args) {
      const child = aChild(args, children.length >= (options.unbegun ?? 0));
      children.push(child);
      return child.process;
    },
    dataFolder: '/user/data',
    log,
    now: () => performance.now(),
    port: { read: () => options.port ?? 8420, keep: (port) => kept.push(port) },
  });
  server.onChange((state) => states.push(state));
  return { server, children, states, kept, log };
}

/** A process that lives in the test's imagination. */
function aChild(args: string[], isBegun: boolean) {
  const events = new EventEmitter();
  // Whoever asks for that hears of it.
  events.on('newListener', (name, listener) => isBegun && name === 'spawn' && listener());
  const child = {
    args,
    told: [] as unknown[],
    kills: 0,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    begin: () => events.emit('spawn'),
    say: (message: unknown) => events.emit('message', message),
    listen: (port = 8420) =>
      child.say({
        type: 'listening',
        origin: `http://127.0.0.1:${port}`,
        port,
        instanceId: 'data-1',
      }),
    fail: (code: string, message: string) => child.say({ type: 'failed', code, message }),
    die(code: number) {
      events.emit('exit', code);
      // As Electron does: nobody hears what comes after, unless they listen anew.
      child.stdout.removeAllListeners();
      child.stderr.removeAllListeners();
    },
    process: undefined as unknown as Child,
  };
  child.process = {
    pid: 4711,
    stdout: child.stdout,
    stderr: child.stderr,
    on: events.on.bind(events) as unknown as Child['on'],
    postMessage: (message) => child.told.push(message),
    kill() {
      child.kills++;
      return true;
    },
  };
  return child;
}
