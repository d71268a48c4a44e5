import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { connections } from '../../../server/platform/http/connections.ts';
import { listen } from '../../../server/platform/http/listen.ts';

test('a stopping server waits for a response in progress, but not for a further request', async () => {
  const answers: ServerResponse[] = [];
  const listening = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    handler: (_request, response) => void answers.push(response),
    connections: connections({ trustedProxies: () => [] }),
    keylessLimit: 60,
    now: Date.now,
    log: pino({ level: 'silent' }),
  });
  // Keeps its connection for as long as the server does.
  const socket = connect(listening.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => answers.length).toBe(1);
  const answer = answers[0] as ServerResponse;
  // Already promised to be kept: a live stream has sent its headers long ago.
  answer.flushHeaders();
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*keep-alive: timeout=5\r\n/i);

  const end = once(socket, 'close');
  const stopped = listening.stop(60_000);
  answer.end('the last words');
  const endedAt = performance.now();
  await Promise.all([stopped, end]);
  expect(received).toContain('the last words');
  // The connection is promised for five seconds.
  expect(performance.now() - endedAt).toBeLessThan(5_000);
});
