import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { rawExchange, storedContents, upload, uploadHead, uploadPath } from '../../support/uploads.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ maxUploadMb: 5, ratelimit: 100_000 });
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const filesCount = async () => (await server.request('GET', '/api/files')).body.result as number;

/** Runs an attack and says whether it left a row or a content behind. */
async function leavesNothing(attack: () => Promise<unknown>): Promise<void> {
  const before = { rows: await filesCount(), finished: storedContents(server).finished };
  await attack();
  await expect.poll(() => storedContents(server).unfinished, { timeout: 5_000 }).toEqual([]);
  expect({ rows: await filesCount(), finished: storedContents(server).finished }).toEqual(before);
}

describe('an upload', () => {
  test("is stored under a random name that only the machine's owner can read", async () => {
    const before = storedContents(server).finished;
    await upload(server, 'content', {}, 'secret plans.txt');
    const [name] = storedContents(server).finished.filter((entry) => !before.includes(entry));
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(statSync(join(server.folder, 'files', name ?? '')).mode & 0o777).toBe(0o600);
    expect(statSync(join(server.folder, 'files')).mode & 0o777).toBe(0o700);
  });

  test('is returned byte for byte', async () => {
    const random = seededIntegers(3);
    const content = Buffer.from(Array.from({ length: 300_000 }, () => random(256)));
    const { shorturl } = await upload(server, content, {}, 'noise.bin');
    expect(Buffer.from(await (await fetch(shorturl)).arrayBuffer()).equals(content)).toBe(true);
  });

  test('with a taken alias is refused before its content is read', async () => {
    await upload(server, 'x', { custom: 'mine' });
    await leavesNothing(async () => {
      const reply = await server.request('POST', uploadPath('a.txt', { custom: 'mine' }), { rawBody: 'y' });
      expect(reply.body).toMatchObject({ code: 'alias_taken', field: 'custom' });
    });
  });

  test('that loses a race for an alias leaves no trace', async () => {
    const before = await filesCount();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.request('POST', uploadPath('race.txt', { custom: 'race' }), { rawBody: 'x'.repeat(50_000) }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'alias_taken')).toHaveLength(9);
    expect(await filesCount()).toBe(before + 1);
    expect(storedContents(server).finished).toHaveLength(before + 1);
  });

  test('of a form or of compressed bytes is refused with the reason', async () => {
    const form = new FormData();
    form.set('file', new Blob(['x']), 'a.txt');
    const { body, headers } = new Request('http://a.example', { method: 'POST', body: form });
    const content = Buffer.from(await new Response(body).arrayBuffer());
    const asForm = await server.request('POST', uploadPath('a.txt'), {
      rawBody: content,
      headers: { 'content-type': headers.get('content-type') ?? '' },
    });
    expect(asForm.status).toBe(415);
    const packed = await server.request('POST', uploadPath('a.txt'), {
      rawBody: 'x',
      headers: { 'content-encoding': 'gzip' },
    });
    expect(packed.status).toBe(415);
  });

  test('without content is refused', async () => {
    await leavesNothing(async () => {
      const reply = await server.request('POST', uploadPath('a.txt'), { rawBody: '' });
      expect([reply.status, reply.body.code]).toEqual([400, 'empty_file']);
    });
  });
});

describe('file names (T-16)', () => {
  const longest = `${'n'.repeat(251)}.txt`;
  const short = (name: string) => JSON.stringify(name.length > 40 ? `${name.length} characters` : name);
  const named = [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['%2e%2e%2fx.txt', '%2e%2e%2fx.txt'],
    ['C:\\x.txt', 'x.txt'],
    ['C:', 'C_'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['COM1.tar.gz', '_COM1.tar.gz'],
    ['.htaccess', '.htaccess'],
    ['report.', 'report'],
    ['report.txt. . .', 'report.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['a"b<c>d|e?f*g.txt', 'a_b_c_d_e_f_g.txt'],
    ['grüße 😀.txt', 'grüße 😀.txt'],
    ['gru\u0308\u00dfe.txt', 'grüße.txt'],
    [longest, longest],
    ['ü'.repeat(127), 'ü'.repeat(127)],
    ['__proto__', '__proto__'],
  ].map(([filename = '', saved = '']) => ({
    filename,
    saved,
    as: `${short(filename)}, saved as ${short(saved)}`,
  }));
  test.each(named)('takes $as', async ({ filename, saved }) => {
    const before = storedContents(server).finished.length;
    const { id, shorturl } = await upload(server, 'x', {}, filename);
    expect((await server.request('GET', `/api/file/${id}`)).body.data.filename).toBe(saved);
    const disposition = (await fetch(shorturl, { method: 'HEAD' })).headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? '')).toBe(saved);
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~%!#$&+^`|-]+$/);
    expect(storedContents(server).finished).toHaveLength(before + 1);
  });

  const refused = [
    'a\u0000.txt',
    'a\r\nSet-Cookie: x=y.txt',
    'a\u001b[31m.txt',
    `n${longest}`,
    'ü'.repeat(128),
    'x'.repeat(5000),
    '...',
    ' ',
    'folder/',
    '\u202e',
  ].map((filename) => ({ filename, as: short(filename) }));
  test.each(refused)('refuses $as', async ({ filename }) => {
    await leavesNothing(async () => {
      const reply = await server.request('POST', uploadPath(filename), { rawBody: 'x' });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([
        400,
        'invalid_filename',
        'filename',
      ]);
    });
  });

  test('a path of several segments is not an API endpoint', async () => {
    const head = uploadHead(server, server.key, ['Content-Length: 1', 'Connection: close'], '../../x');
    expect((await rawExchange(server.port, [`${head}x`])).text).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('sizes (T-16)', () => {
  test('a file of exactly the limit is accepted, one byte more is not', async () => {
    await expect(upload(server, Buffer.alloc(5_000_000))).resolves.toBeDefined();
    await leavesNothing(async () => {
      const reply = await server.request('POST', uploadPath('b.bin'), { rawBody: Buffer.alloc(5_000_001) });
      expect([reply.status, reply.body.code]).toEqual([413, 'too_large']);
      expect(reply.body.message).toContain('5 MB');
    });
  });

  test('a declared length over the limit is refused before a byte is sent', async () => {
    const head = uploadHead(server, server.key, ['Content-Length: 999999999999']);
    const { text } = await rawExchange(server.port, [head], 1_000);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/Connection: close/i);
  });

  test('an endless chunked body is cut at the limit, and the sender is told', async () => {
    await leavesNothing(async () => {
      const head = uploadHead(server, server.key, ['Transfer-Encoding: chunked']);
      const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
      const pieces = [head, ...Array.from({ length: 200 }, () => chunk)];
      const { text, closedByServer } = await rawExchange(server.port, pieces, 8_000);
      expect(text).toMatch(/^HTTP\/1\.1 413 /);
      expect(closedByServer).toBe(true);
    });
  });

  test('a body shorter than its declared length does not become a file', async () => {
    await leavesNothing(async () => {
      const head = uploadHead(server, server.key, ['Content-Length: 1000']);
      await rawExchange(server.port, [head, 'only this'], 200);
    });
  });

  test('bytes after the declared length are not part of the file', async () => {
    // On a server of its own: whether the upload is kept or given up with its connection is decided after the answer.
    const own = await startApp({ maxUploadMb: 5 });
    try {
      const head = uploadHead(own, own.key, ['Content-Length: 5'], 'five.txt');
      await rawExchange(own.port, [head, 'helloGARBAGE IN PLACE OF A REQUEST\r\n\r\n'], 1_000);
      await expect.poll(() => storedContents(own).unfinished).toEqual([]);
      const listed = async () => (await own.request('GET', '/api/files?name=five')).body;
      // The row comes a moment after the content.
      await expect.poll(async () => storedContents(own).finished.length - (await listed()).result).toBe(0);
      for (const file of (await listed()).list) expect(file.size).toBe(5);
    } finally {
      await own.close();
    }
  });

  test('both lengths at once are refused', async () => {
    await leavesNothing(async () => {
      const head = uploadHead(server, server.key, ['Content-Length: 5', 'Transfer-Encoding: chunked']);
      const { text } = await rawExchange(server.port, [head, '0\r\n\r\n'], 1_000);
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    });
  });
});

describe('interruptions', () => {
  test('five hundred uploads that break off anywhere leave nothing behind', async () => {
    const random = seededIntegers(11);
    const size = 400_000;
    await leavesNothing(async () => {
      for (let round = 0; round < 500; round += 1) {
        const chunked = round % 2 === 0;
        const head = uploadHead(server, server.key, [
          chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`,
        ]);
        const body = chunked ? `${size.toString(16)}\r\n${'x'.repeat(size)}` : 'x'.repeat(size);
        const bytes = (head + body).slice(0, random(head.length + size - 1));
        await new Promise<void>((resolve) => {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('close', () => resolve()).on('error', () => {});
          socket.write(bytes, () => (random(2) === 0 ? socket.destroy() : socket.resetAndDestroy()));
        });
      }
    });
    expect(server.logLines().filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test('what a crash left behind is removed at the next start, and nothing else', async () => {
    const first = await startApp();
    const { id, shorturl } = await upload(first, 'stays');
    const { finished } = storedContents(first);
    writeFileSync(join(first.folder, 'files', 'tmp', 'half'), 'half of a file');
    writeFileSync(join(first.folder, 'files', 'f'.repeat(32)), 'a file without a row');
    const { folder } = first;
    const second = await (async () => {
      await first.app.close();
      return startApp({ folder });
    })();
    expect(storedContents(second)).toEqual({ finished, unfinished: [] });
    expect((await server.request('GET', '/api/health')).status).toBe(200);
    const alias = new URL(shorturl).pathname;
    expect(await (await fetch(second.origin + alias)).text()).toBe('stays');
    expect((await second.request('GET', `/api/file/${id}`)).status).toBe(200);
    await second.close();
    await first.close().catch(() => {});
  });

  test('deleting a file removes its content and its address', async () => {
    const { id, shorturl } = await upload(server, 'gone', { custom: 'gone' });
    const before = storedContents(server).finished.length;
    await server.request('DELETE', `/api/file/${id}/delete`);
    expect(storedContents(server).finished).toHaveLength(before - 1);
    expect((await fetch(shorturl)).status).toBe(404);
    await expect(upload(server, 'again', { custom: 'gone' })).resolves.toBeDefined();
  });
});

describe('a disk that fills up', () => {
  test('refuses uploads with 507 if less than 256 MB would be left, and accepts them again later', async () => {
    let free = 256 * 1024 * 1024 + 1_000;
    const full = await startApp({ freeBytes: async () => free });
    const reply = await full.request('POST', uploadPath('a.bin'), { rawBody: Buffer.alloc(2_000) });
    expect([reply.status, reply.body.code]).toEqual([507, 'disk_full']);
    expect(storedContents(full)).toEqual({ finished: [], unfinished: [] });
    free *= 2;
    await expect(upload(full, Buffer.alloc(2_000))).resolves.toBeDefined();
    await full.close();
  });

  test.each(['ENOSPC', 'EDQUOT'])('is reported as such whatever the system calls it: %s', async (code) => {
    const full = await startApp({
      freeBytes: () => Promise.reject(Object.assign(new Error('no room'), { code })),
    });
    const reply = await full.request('POST', uploadPath('a.bin'), { rawBody: 'content' });
    expect([reply.status, reply.body.code]).toEqual([507, 'disk_full']);
    await full.close();
  });

  test('is noticed while a body of unknown length arrives', async () => {
    let asked = 0;
    const full = await startApp({
      freeBytes: async () => {
        asked += 1;
        return asked > 2 ? 0 : 2 ** 40;
      },
    });
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(4_000_000));
      },
    });
    const response = await fetch(full.origin + uploadPath('a.bin'), {
      method: 'POST',
      headers: { authorization: `Bearer ${full.key}` },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(507);
    expect(storedContents(full)).toEqual({ finished: [], unfinished: [] });
    await full.close();
  });
});

describe('time', () => {
  test('an upload may take longer than any other request', async () => {
    const patient = await startApp({ requestMs: 400 });
    const head = uploadHead(patient, patient.key, ['Content-Length: 40', 'Connection: close']);
    const answer = new Promise<string>((resolve) => {
      const socket = connect(patient.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text)).on('error', () => {});
      socket.write(head);
      let sent = 0;
      const drip = setInterval(() => {
        socket.write('x'.repeat(10));
        sent += 1;
        if (sent === 4) clearInterval(drip);
      }, 400);
    });
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    // The same drip on another endpoint is cut.
    const slow = await rawExchange(
      patient.port,
      [
        `POST /api/url/add HTTP/1.1\r\nHost: localhost:${patient.port}\r\nAuthorization: Bearer ${patient.key}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{`,
      ],
      4_000,
    );
    expect(slow.text).toMatch(/^HTTP\/1\.1 408 /);
    await patient.close();
  });
});
