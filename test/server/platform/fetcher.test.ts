import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { fetcher } from '../../../server/platform/fetcher/fetcher.ts';
import { isReachableAddress } from '../../../server/platform/fetcher/public-address.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on one address that counts connections and requests. */
async function target(handle: RequestListener, host = '127.0.0.1', port = 0) {
  const seen = { connections: 0, requests: [] as Record<string, unknown>[] };
  const server = createServer((request, response) => {
    seen.requests.push({ url: request.url, ...request.headers });
    handle(request, response);
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { seen, port: (server.address() as AddressInfo).port };
}

const sendsPng: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'Image/PNG; x=y' }).end('a picture');

const refusal = expect.objectContaining({
  status: 400,
  details: expect.objectContaining({ code: 'unreachable_url', field: 'avatar' }),
});
const options = { maxBytes: 1000, field: 'avatar', party: 'account 1' };
const loopback = ['127.0.0.0/8'];

/** A fetcher that may reach 127.0.0.1 on the port of a test's server, and knows every name as that address. */
function allowed(port: number, rest: Partial<Parameters<typeof fetcher>[0]> = {}) {
  return fetcher({
    allowedRanges: () => loopback,
    ports: [port],
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...rest,
  });
}

describe('the fetcher', () => {
  test('returns the body and declared type from a public address', async () => {
    const { port } = await target(sendsPng);
    const { body, type } = await allowed(port).get(`http://pictures.example:${port}/a.png`, options);
    expect(body.toString()).toBe('a picture');
    expect(type).toBe('image/png');
  });

  test('requests any port in allowed ranges, and only web ports elsewhere', async () => {
    const { port } = await target(sendsPng);
    const url = `http://127.0.0.1:${port}/a.png`;
    expect((await fetcher({ allowedRanges: () => loopback }).get(url, options)).type).toBe('image/png');
    const named = allowed(port, { ports: [80, 443] });
    expect((await named.get(`http://pictures.example:${port}/a.png`, options)).type).toBe('image/png');
    const mixed = allowed(port, {
      ports: [80, 443],
      lookup: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '93.184.216.34', family: 4 },
      ],
    });
    await expect(mixed.get(`http://pictures.example:${port}/a.png`, options)).rejects.toEqual(refusal);
    const closed = allowed(port, { ports: [80, 443], allowedRanges: () => ['10.0.0.0/8'] });
    await expect(closed.get(url, options)).rejects.toEqual(refusal);
  });

  test('sends no cookies or credentials, and requests no compression', async () => {
    const { port, seen } = await target(sendsPng);
    await allowed(port).get(`http://pictures.example:${port}/a.png`, options);
    expect(seen.requests[0]).toMatchObject({
      host: `pictures.example:${port}`,
      'accept-encoding': 'identity',
    });
    expect(Object.keys(seen.requests[0] ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/cookie|authorization|referer|origin/)]),
    );
  });

  test('follows three redirects, but not four', async () => {
    const { port } = await target((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end('on the way');
    });
    const got = await allowed(port).get(`http://a.example:${port}/3`, options);
    expect(got.body.toString()).toBe('there');
    await expect(allowed(port).get(`http://a.example:${port}/4`, options)).rejects.toEqual(refusal);
  });
});

describe('SSRF (T-14): the fetcher', () => {
  /** What a request to "our own machine" can be spelled like; `PORT` is the listener's. */
  const corpus = [
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://127.0.0.2:PORT/',
    'http://127.255.255.254:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://localhost.:PORT/',
    'http://anything.localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:7f00:1::]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fec0::1]:PORT/',
    'http://[fc00::1]:PORT/',
    'http://[fd00::1]:PORT/',
    'http://[ff02::1]:PORT/',
    'http://[::ffff:0:127.0.0.1]:PORT/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
    'http://100.64.0.1/',
    'http://192.0.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://user:secret@example.com:PORT/',
    'http://user@example.com:PORT/',
    'http://:secret@example.com:PORT/',
    'http://example.com@127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_GET',
    'ftp://127.0.0.1:PORT/',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'http:/\\127.0.0.1:PORT/',
    'http:127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\\@example.com/',
    'ht\ntp://127.0.0.1:PORT/',
    'http://127.0.0.1:\tPORT/',
    `http://127.0.0.1:PORT/${'x'.repeat(3000)}`,
    'http://',
    '',
    'http://[::1',
    'http://%31%32%37.0.0.1:PORT/',
  ];

  test(`connects to none of ${corpus.length} internal addresses`, async () => {
    const four = await target(sendsPng);
    const six = await target(sendsPng, '::1', four.port).catch(() => undefined);
    const alias = await target(sendsPng, '127.0.0.2', four.port).catch(() => undefined);
    // The system's own look-up; the port is allowed, so that nothing but the address is in the way.
    const get = fetcher({
      allowedRanges: () => [],
      ports: [80, 443, four.port],
      connectMs: 500,
      totalMs: 2000,
    }).get;
    for (const entry of corpus) {
      const url = entry.replace('PORT', String(four.port));
      await expect(get(url, options), url).rejects.toEqual(refusal);
    }
    expect([four.seen, six?.seen, alias?.seen].map((seen) => seen?.connections ?? 0)).toEqual([0, 0, 0]);
  });

  test('requests no port but 80 and 443 outside allowed ranges', async () => {
    const { port, seen } = await target(sendsPng);
    const { get } = fetcher({ allowedRanges: () => ['10.0.0.0/8'] });
    await expect(get(`http://127.0.0.1:${port}/`, options)).rejects.toEqual(refusal);
    await expect(get(`http://93.184.216.34:${port}/`, options)).rejects.toEqual(refusal);
    expect(seen.connections).toBe(0);
  });

  test('connects to the address that it checked, whatever the name resolves to later', async () => {
    const inside = await target(sendsPng);
    const outside = await target(sendsPng, '127.0.0.3', inside.port);
    let asked = 0;
    const get = allowed(inside.port, {
      allowedRanges: () => ['127.0.0.3'],
      lookup: async () => {
        asked += 1;
        return [{ address: asked === 1 ? '127.0.0.3' : '127.0.0.1', family: 4 }];
      },
    }).get;
    // One look-up, and the connection goes where it said: a second one would lead inside.
    await expect(get(`http://flip.example:${inside.port}/`, options)).resolves.toBeDefined();
    await expect(get(`http://flip.example:${inside.port}/`, options)).rejects.toEqual(refusal);
    expect(asked).toBe(2);
    expect(outside.seen.requests).toHaveLength(1);
    expect(inside.seen.connections).toBe(0);
  });

  test('looks a name up once for any port, and connects to the checked address', async () => {
    const { port, seen } = await target(sendsPng, '127.0.0.3');
    let asked = 0;
    const { get } = fetcher({
      allowedRanges: () => ['127.0.0.3'],
      lookup: async () => {
        asked += 1;
        return [{ address: asked === 1 ? '127.0.0.3' : '127.0.0.1', family: 4 }];
      },
    });
    await expect(get(`http://flip.example:${port}/`, options)).resolves.toBeDefined();
    await expect(get(`http://flip.example:${port}/`, options)).rejects.toEqual(refusal);
    expect([asked, seen.connections]).toEqual([2, 1]);
  });

  test('refuses a name if any of its addresses is internal', async () => {
    const { port, seen } = await target(sendsPng);
    const get = allowed(port, {
      allowedRanges: () => ['127.0.0.1'],
      lookup: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    }).get;
    await expect(get(`http://mixed.example:${port}/`, options)).rejects.toEqual(refusal);
    expect(seen.connections).toBe(0);
  });

  test.each([
    ['a literal address', 'http://127.0.0.2:PORT/'],
    ['a name', 'http://inside.example:PORT/'],
    ['credentials', 'http://user:secret@outside.example:PORT/'],
    ['another scheme', 'file:///etc/passwd'],
    ['another port', 'http://outside.example:22/'],
  ])('checks a redirect to %s like the first URL', async (_what, location) => {
    const inside = await target(sendsPng, '127.0.0.2');
    const outside = await target((_request, response) =>
      response.writeHead(307, { location: location.replace('PORT', String(inside.port)) }).end(),
    );
    const get = allowed(outside.port, {
      allowedRanges: () => ['127.0.0.1'],
      ports: [outside.port, inside.port],
      lookup: async (name) => [{ address: name.startsWith('inside') ? '127.0.0.2' : '127.0.0.1', family: 4 }],
    }).get;
    await expect(get(`http://outside.example:${outside.port}/`, options)).rejects.toEqual(refusal);
    expect(outside.seen.requests).toHaveLength(1);
    expect(inside.seen.connections).toBe(0);
  });

  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::8.8.8.8', false],
    ['2002:808:808::', false],
    ['2001:db8::1', false],
    ['fe80::1%eth0', false],
    ['5f00::1', false],
    ['not an address', false],
    ['', false],
  ])('judges %s alone: %s', (address, isPublic) => {
    expect(isReachableAddress(address, [])).toBe(isPublic);
  });

  test('reaches a private range that the administrator allows', () => {
    expect(isReachableAddress('192.168.7.9', ['192.168.7.0/24'])).toBe(true);
    expect(isReachableAddress('192.168.8.9', ['192.168.7.0/24'])).toBe(false);
  });
});

describe('a hostile server', () => {
  const quick = { connectMs: 500, totalMs: 700 };

  test('cannot send more than the limit, whatever length it declares', async () => {
    let written = 0;
    const { port } = await target((request, response) => {
      if (request.url === '/claims')
        response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5000));
      else {
        const chunk = Buffer.alloc(64 * 1024);
        const more = () => {
          written += chunk.length;
          if (!response.destroyed) response.write(chunk, () => setImmediate(more));
        };
        more();
      }
    });
    const tooLarge = expect.objectContaining({
      details: expect.objectContaining({ code: 'file_too_large' }),
    });
    await expect(allowed(port).get(`http://a.example:${port}/claims`, options)).rejects.toEqual(tooLarge);
    await expect(allowed(port).get(`http://a.example:${port}/endless`, options)).rejects.toEqual(tooLarge);
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test.each([
    ['drips its body', (_: unknown, response) => void setInterval(() => response.write('x'), 50).unref()],
    ['never answers', () => {}],
    ['drips its headers', (request) => void setInterval(() => request.socket.write('H'), 50).unref()],
  ] satisfies [string, RequestListener][])(
    'that %s is left after the time for all of it',
    async (_what, handle) => {
      const { port } = await target(handle);
      const started = performance.now();
      await expect(allowed(port, quick).get(`http://a.example:${port}/`, options)).rejects.toEqual(refusal);
      expect(performance.now() - started).toBeLessThan(3000);
    },
  );

  test('that compresses its body is refused and nothing is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const { port } = await target((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const get = allowed(port).get(`http://a.example:${port}/`, { ...options, maxBytes: 100_000 });
    await expect(get).rejects.toEqual(refusal);
  });

  test.each([404, 500, 204, 304])('that responds with %i has failed', async (status) => {
    const { port } = await target((_request, response) => response.writeHead(status).end());
    await expect(allowed(port).get(`http://a.example:${port}/`, options)).rejects.toEqual(refusal);
  });

  test('that breaks off halfway has failed', async () => {
    const { port } = await target((_request, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('half', () => response.destroy());
    });
    await expect(allowed(port).get(`http://a.example:${port}/`, options)).rejects.toEqual(refusal);
  });
});

test('an endless DNS lookup is abandoned at the total timeout', async () => {
  const get = allowed(80, { lookup: () => new Promise(() => {}), connectMs: 300, totalMs: 600 }).get;
  const started = performance.now();
  await expect(get('http://slow.example/', options)).rejects.toEqual(refusal);
  expect(performance.now() - started).toBeLessThan(3000);
});

describe('requesting one address of a host', () => {
  const asked = { address: '127.0.0.1', maxBytes: 20, totalMs: 2_000, party: 'proofs' };

  test("uses that address under the host's name, whatever it resolves to", async () => {
    const { port, seen } = await target((_request, response) => response.writeHead(404).end('nothing here'));
    const fetching = allowed(port, { lookup: async () => [{ address: '127.0.0.9', family: 4 }] });
    expect(await fetching.probe(`http://go.example:${port}/file`, asked)).toEqual({
      status: 404,
      body: 'nothing here',
    });
    expect(seen.requests).toEqual([expect.objectContaining({ url: '/file', host: `go.example:${port}` })]);
  });

  test('reads only the first bytes', async () => {
    const { port } = await target((_request, response) => response.end('x'.repeat(5_000_000)));
    expect(await allowed(port).probe(`http://go.example:${port}/`, asked)).toEqual({
      status: 200,
      body: 'x'.repeat(20),
    });
  });

  test('follows the host to another of its addresses, and never to another host', async () => {
    let name = 'go.example';
    const { port, seen } = await target((request, response) => {
      if (request.url !== '/') response.end('arrived');
      else response.writeHead(301, { location: `http://${name}:${port}/next` }).end();
    });
    const url = `http://go.example:${port}/`;
    expect(await allowed(port).probe(url, asked)).toEqual({ status: 200, body: 'arrived' });
    name = 'evil.example';
    expect(await allowed(port).probe(url, asked)).toEqual({ status: 301, body: '' });
    expect(seen.requests).toHaveLength(3);
  });

  test('is refused where not allowed, and returns nothing if there is no response', async () => {
    const { port, seen } = await target(sendsPng);
    const closed = fetcher({ allowedRanges: () => [], ports: [port] });
    expect(await closed.probe(`http://go.example:${port}/`, asked)).toBeUndefined();
    expect(await allowed(1).probe('http://go.example:1/', asked)).toBeUndefined();
    expect(seen.connections).toBe(0);
  });
});

describe('checking whether a page exists', () => {
  const look = { totalMs: 2_000, party: 'test' };

  test('accepts a successful HEAD, and uses GET otherwise', async () => {
    const { port, seen } = await target((request, response) => {
      const isOddAboutHead = request.url === '/odd' && request.method === 'HEAD';
      const status = isOddAboutHead ? 405 : request.url === '/gone' ? 410 : 200;
      response.writeHead(status).end(request.method);
    });
    const check = (path: string) => allowed(port).check(`http://pages.example:${port}${path}`, look);
    expect(await check('/there')).toEqual({ status: 200 });
    expect(seen.requests).toHaveLength(1);
    expect(await check('/odd')).toEqual({ status: 200 });
    expect(await check('/gone')).toEqual({ status: 410 });
    expect(seen.requests).toHaveLength(5);
  });

  test('distinguishes an unknown name from a refusing host, and reveals nothing else', async () => {
    const { port } = await target((_request, response) => response.end());
    const refusing = await target((_request, response) => response.end());
    servers.find((server) => (server.address() as AddressInfo).port === refusing.port)?.close();
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const away = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
    const failing = (error: Error) => allowed(port, { lookup: () => Promise.reject(error) });
    const url = `http://pages.example:${port}/`;
    expect(await failing(unknown).check(url, look)).toEqual({ failure: 'dns' });
    expect(await failing(away).check(url, look)).toBe(undefined);
    expect(await allowed(refusing.port).check(`http://pages.example:${refusing.port}/`, look)).toEqual({
      failure: 'refused',
    });
    expect(await allowed(port, { allowedRanges: () => [] }).check(url, look)).toBe(undefined);
    expect(await allowed(port).check(`http://pages.example:${port}/${'x'.repeat(3000)}`, look)).toBe(
      undefined,
    );
  });
});
