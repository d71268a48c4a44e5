import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { times } from '../support/trials.ts';
import { storedContents, uploadPath } from '../support/uploads.ts';

const chunk = Buffer.alloc(1_000_000, 'x');
/** Megabytes of the file: in the short form, too, several times what the memory may grow by. */
const chunks = times({ short: 300, long: 2_000 });

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ maxUploadMb: chunks });
});
afterAll(() => server.close());

/** The most that this process grows while work runs; client and server are both in it. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 20);
  await work();
  clearInterval(watch);
  return most;
}

function send(count: number): Promise<{ status: number; body: { id: number; shorturl: string } }> {
  return new Promise((resolve, reject) => {
    const client = request(
      server.origin + uploadPath('large.bin'),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-length': count * chunk.length },
      },
      async (response) => {
        let text = '';
        for await (const part of response) text += part;
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      },
    );
    client.on('error', reject);
    let sent = 0;
    const more = () => {
      while (sent < count) {
        sent += 1;
        if (!client.write(chunk)) {
          client.once('drain', more);
          return;
        }
      }
      client.end();
    };
    more();
  });
}

test(`${chunks} MB are uploaded and downloaded without memory growth`, async () => {
  let shorturl = '';
  const incoming = await growthDuring(async () => {
    const reply = await send(chunks);
    expect(reply.status).toBe(200);
    shorturl = reply.body.shorturl;
  });
  expect(incoming).toBeLessThan(150_000_000);

  const outgoing = await growthDuring(async () => {
    const response = await fetch(shorturl);
    let size = 0;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) size += part.length;
    expect(size).toBe(chunks * chunk.length);
  });
  expect(outgoing).toBeLessThan(150_000_000);
}, 300_000);

test('one byte over the limit is refused before any of it is stored', async () => {
  const before = storedContents(server);
  const reply = await send(chunks + 1).catch((error: NodeJS.ErrnoException) => error);
  // A client that goes on sending may learn it from the closed connection.
  if (!(reply instanceof Error)) expect(reply.status).toBe(413);
  expect(storedContents(server)).toEqual(before);
});
