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

  test('a steady but endless one ends after the total time', async () => {
    const result = await outcomeOf({ ...pace, totalMs: 400 }, (write) => {
      const flow = setInterval(() => write(2_000), 20);
      setTimeout(() => clearInterval(flow), 3_000);
    });
    expect(result).toEqual(timeout);
  });

  test('a slow disk does not count against the sender', async () => {
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

  test('a failing disk is reported as such', async () => {
    const fault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const result = await outcomeOf(
      pace,
      (write) => write(100),
      () => Promise.reject(fault),
    );
    expect(result).toBe(fault);
  });
});

describe('a body that has arrived completely before it is read', () => {
  /** Sends a small body, waits until all of it has arrived and reads it then. */
  async function outcomeOfWhole(write: (chunk: Buffer) => Promise<void>): Promise<unknown> {
    const arrived = Promise.withResolvers<IncomingMessage>();
    const server = createServer((request) => arrived.resolve(request));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = send({ port, host: '127.0.0.1', method: 'POST' });
    client.on('error', () => {});
    client.end(Buffer.alloc(100));
    const request = await arrived.promise;
    await expect.poll(() => request.complete).toBe(true);
    const result = await receiveBody(request, pace, write).catch((error) => error);
    client.destroy();
    server.closeAllConnections();
    server.close();
    return result;
  }

  test('is received only once written: the sync that follows must cover all of it', async () => {
    let isWritten = false;
    const result = await outcomeOfWhole(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      isWritten = true;
    });
    expect([result, isWritten]).toEqual([100, true]);
  });

  test('fails when writing it fails', async () => {
    const fault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const result = await outcomeOfWhole(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw fault;
    });
    expect(result).toBe(fault);
  });
});
