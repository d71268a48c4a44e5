import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Pace, receiveBody } from '../../../server/content/files/receive.ts';

/** Lets a real request arrive and gives what became of its body. */
async function outcomeOf(
  pace: Pace,
  drive: (write: (bytes: number) => void, end: () => void) => void,
  write: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<unknown> {
  let outcome: Promise<unknown> | undefined;
  const server = createServer((request: IncomingMessage, response) => {
    outcome = receiveBody(request, pace, write).catch((error) => error);
    void outcome.then(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = send({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' });
  client.on('error', () => {});
  client.flushHeaders();
  drive(
    (bytes) => void client.write(Buffer.alloc(bytes)),
    () => void client.end(),
  );
  await expect.poll(() => outcome, { timeout: 3_000 }).toBeDefined();
  const result = await outcome;
  client.destroy();
  server.closeAllConnections();
  server.close();
  return result;
}

const pace: Pace = { windowMs: 100, bytesPerWindow: 1000, totalMs: 60_000, bytesPerSecond: 1 };
const timeout = expect.objectContaining({ status: 408 });

describe('the pace of an upload (T-06)', () => {
  test('too few bytes in a window end it', async () => {
    const result = await outcomeOf(pace, (write) => {
      const drip = setInterval(() => write(10), 20);
      setTimeout(() => clearInterval(drip), 2_000);
    });
    expect(result).toEqual(timeout);
  });

  test('silence after a quick start ends it', async () => {
    expect(await outcomeOf(pace, (write) => write(500_000))).toEqual(timeout);
  });

  test('a steady but endless one ends after the whole time', async () => {
    const result = await outcomeOf({ ...pace, totalMs: 400 }, (write) => {
      const flow = setInterval(() => write(2_000), 20);
      setTimeout(() => clearInterval(flow), 3_000);
    });
    expect(result).toEqual(timeout);
  });

  test('a slow disk is not held against the sender', async () => {
    const result = await outcomeOf(
      pace,
      (write, end) => {
        write(100);
        end();
      },
      () => new Promise((resolve) => setTimeout(resolve, 500)),
    );
    expect(result).toBe(100);
  });

  test('a failing disk is told as it is', async () => {
    const fault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const result = await outcomeOf(
      pace,
      (write) => write(100),
      () => Promise.reject(fault),
    );
    expect(result).toBe(fault);
  });
});
