// Programs of others, as people script against the server: curl and Python's urllib create, edit, follow, upload and
// delete, in the ways of HTTP that each of them has.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

const run = promisify(execFile);
const domain = 'links.example';

let server: TestApp;
/** What links lead to. */
let destination: Server;
let destinationUrl = '';
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000, baseUrl: `http://${domain}` });
  destination = createServer((request, response) => response.end(`arrived at ${request.url}`));
  destination.listen(0, '127.0.0.1');
  await once(destination, 'listening');
  destinationUrl = `http://127.0.0.1:${(destination.address() as AddressInfo).port}/there`;
});
afterAll(async () => {
  destination.close();
  await server.close();
});

/** A program's exit is not looked at when it is asked for its version: only whether it is there. */
async function skipWithout(program: string, context: TestContext): Promise<void> {
  const isThere = await run(program, ['--version']).then(
    () => true,
    () => false,
  );
  context.skip(!isThere, `${program} is not installed here`);
}

interface Written {
  stdout: string;
  stderr: string;
}

/** No settings of the machine, and what is written to `input` as its standard input. */
async function curl(args: readonly string[], input?: string): Promise<Written> {
  const running = run('curl', ['--disable', '--silent', '--show-error', '--noproxy', '*', ...args]);
  running.child.stdin?.end(input ?? '');
  return running;
}

const withKey = () => ['--header', `Authorization: Bearer ${server.key}`];
const json = (body: object) => ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)];
/** Sends a request of the interface, and reads its answer. */
async function api(method: string, path: string, ...args: string[]) {
  const { stdout } = await curl(['--request', method, ...withKey(), ...args, server.origin + path]);
  return JSON.parse(stdout);
}

describe('curl', () => {
  test('creates a link, edits it, follows it and deletes it', async (context) => {
    await skipWithout('curl', context);
    const follow = async () =>
      (await curl(['--location', '--write-out', ' %{http_code}', `${server.origin}/curled`])).stdout;
    const { id } = await api('POST', '/api/url/add', ...json({ url: destinationUrl, custom: 'curled' }));
    expect(await follow()).toBe('arrived at /there 200');
    expect(await api('PUT', `/api/url/${id}/update`, ...json({ url: `${destinationUrl}?2` }))).toMatchObject({
      error: 0,
    });
    expect(await follow()).toBe('arrived at /there?2 200');
    expect(await api('DELETE', `/api/url/${id}/delete`)).toMatchObject({ error: 0 });
    expect(await follow()).toMatch(/ 404$/);
  });

  test('uploads a file after 100 Continue, or in chunks, and gets the same bytes back', async (context) => {
    await skipWithout('curl', context);
    const content = 'ü\r\n0\r\n\r\n'.repeat(20_000);
    const upload = async (name: string, ...headers: string[]) => {
      const sent = ['--request', 'POST', '--data-binary', '@-', ...withKey(), '--verbose'];
      const type = ['--header', 'Content-Type: application/octet-stream'];
      const more = headers.flatMap((header) => ['--header', header]);
      const url = `${server.origin}/api/files/upload/${name}?custom=${name}`;
      const { stdout, stderr } = await curl([...sent, ...type, ...more, url], content);
      return { reply: JSON.parse(stdout), said: stderr };
    };
    const expecting = await upload('asked', 'Expect: 100-continue');
    expect(expecting.said).toContain('< HTTP/1.1 100 Continue');
    const chunked = await upload('chunked', 'Transfer-Encoding: chunked', 'Expect:');
    expect(chunked.said).toContain('> Transfer-Encoding: chunked');
    for (const [name, { reply }] of Object.entries({ asked: expecting, chunked })) {
      expect(reply.error).toBe(0);
      expect((await curl([`${server.origin}/${name}`])).stdout).toBe(content);
      expect(await api('DELETE', `/api/file/${reply.id}/delete`)).toMatchObject({ error: 0 });
      const gone = await curl([
        '--write-out',
        '%{http_code}',
        '--output',
        '/dev/null',
        `${server.origin}/${name}`,
      ]);
      expect(gone.stdout).toBe('404');
    }
  });

  test('is refused before sending the body, if it asks first', async (context) => {
    await skipWithout('curl', context);
    const { stdout, stderr } = await curl(
      [
        ...['--request', 'POST', '--data-binary', '@-', '--verbose', '--expect100-timeout', '10'],
        ...['--header', 'Content-Type: application/json', '--header', 'Expect: 100-continue'],
        `${server.origin}/api/url/add`,
      ],
      JSON.stringify({ url: destinationUrl, note: 'x'.repeat(10_000) }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: 1, code: 'unauthorized' });
    expect(stderr).toContain('< HTTP/1.1 401');
  });

  test('keeps its connection from one request to the next', async (context) => {
    await skipWithout('curl', context);
    const url = `${server.origin}/api/account`;
    const out = ['--output', '/dev/null', '--output', '/dev/null', '--output', '/dev/null'];
    const { stdout } = await curl([
      ...withKey(),
      ...out,
      ...['--write-out', '%{http_code} %{num_connects}\n', url, url, `${server.origin}/nothing-here`],
    ]);
    expect(stdout.trim().split('\n')).toEqual(['200 1', '200 0', '404 0']);
  });

  test('can use HTTP/1.0 with the configured name, and for links', async (context) => {
    await skipWithout('curl', context);
    const { id } = await api('POST', '/api/url/add', ...json({ url: destinationUrl, custom: 'old' }));
    const old = ['--http1.0', '--header', `Host: ${domain}`];
    const { stdout } = await curl([...old, ...withKey(), `${server.origin}/api/url/${id}`]);
    expect(JSON.parse(stdout)).toMatchObject({ error: 0, details: { alias: 'old' } });
    const { stdout: head } = await curl([...old, '--include', `${server.origin}/old`]);
    expect(head).toMatch(/^HTTP\/1\.1 302 /);
    expect(head).toMatch(/^Connection: close\r$/im);
    expect(head).not.toMatch(/^Transfer-Encoding:/im);
  });

  test('decompresses with --compressed what it gets without', async (context) => {
    await skipWithout('curl', context);
    const text = { type: 'text', text: 'Hello there. '.repeat(100) };
    const page = { name: 'Long', alias: 'long', blocks: Array(5).fill(text) };
    expect(await api('POST', '/api/bio/add', ...json(page))).toMatchObject({ error: 0 });
    const withoutNonce = (page: string) => page.replace(/nonce="[^"]*"/g, '');
    const url = `${server.origin}/long`;
    const { stdout } = await curl(['--compressed', '--include', url]);
    const [head = '', ...body] = stdout.split('\r\n\r\n');
    expect(head).toMatch(/^Content-Encoding: (br|gzip|zstd|deflate)\r?$/im);
    expect(withoutNonce(body.join('\r\n\r\n'))).toBe(withoutNonce((await curl([url])).stdout));
    expect(body.join()).toContain('Hello there.');
  });
});

const script = `
import json, sys, urllib.error, urllib.request
origin, key, destination = sys.argv[1:]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

def ask(method, path, body=None, raw=None, length=None):
    headers = {'Authorization': 'Bearer ' + key}
    if body is not None:
        raw = json.dumps(body).encode()
        headers['Content-Type'] = 'application/json'
    elif raw is not None:
        headers['Content-Type'] = 'application/octet-stream'
    request = urllib.request.Request(origin + path, data=raw, headers=headers, method=method)
    try:
        with opener.open(request, timeout=30) as reply:
            return [reply.status, reply.read().decode()]
    except urllib.error.HTTPError as error:
        return [error.code, error.read().decode()]

def pieces():
    for number in range(100):
        yield b'%d,' % number

status, text = ask('POST', '/api/url/add', {'url': destination, 'custom': 'pythonic'})
link = json.loads(text)['id']
seen = [status, ask('GET', '/pythonic')]
seen.append(ask('PUT', '/api/url/%d/update' % link, {'url': destination + '?2'})[0])
seen.append(ask('GET', '/pythonic'))
# What has no length is sent in chunks.
status, text = ask('POST', '/api/files/upload/numbers.txt?custom=numbers', raw=pieces())
upload = json.loads(text)['id']
seen.append(status)
seen.append(ask('GET', '/numbers')[1] == b''.join(pieces()).decode())
seen.append(ask('DELETE', '/api/url/%d/delete' % link)[0])
seen.append(ask('DELETE', '/api/file/%d/delete' % upload)[0])
seen.append([ask('GET', '/pythonic')[0], ask('GET', '/numbers')[0]])
status, text = ask('POST', '/api/url/add', {'url': 'nonsense'})
seen.append([status, json.loads(text)['field']])
print(json.dumps(seen))
`;

test('Python’s urllib creates, edits, follows, uploads and deletes', async (context) => {
  await skipWithout('python3', context);
  const { stdout } = await run('python3', ['-c', script, server.origin, server.key, destinationUrl]);
  expect(JSON.parse(stdout)).toEqual([
    200,
    [200, 'arrived at /there'],
    200,
    [200, 'arrived at /there?2'],
    200,
    true,
    200,
    200,
    [404, 404],
    [400, 'url'],
  ]);
});
