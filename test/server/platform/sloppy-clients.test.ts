// Clients of other makes: what they send carelessly is understood where there is one meaning, else refused in words
// that help, in JSON, and without a part of it being done.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
});
afterAll(() => server.close());

interface Answer {
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
  body: any;
}

/** Sends a request byte for byte and reads one answer. */
function send(bytes: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const body = rest.join('\r\n\r\n');
      const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
      resolve({
        status: Number(head.slice(9, 12)),
        type,
        body: type.startsWith('application/json') ? JSON.parse(body) : body,
      });
    });
  });
}

const head = (line: string, ...headers: string[]) =>
  [
    line,
    `Host: localhost:${server.port}`,
    `Authorization: Bearer ${server.key}`,
    'Connection: close',
    ...headers,
    '\r\n',
  ].join('\r\n');
const link = '{"url":"https://example.com/"}';
const post = (body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(
      head('POST /api/url/add HTTP/1.1', `Content-Length: ${Buffer.byteLength(body)}`, ...headers),
      'latin1',
    ),
    Buffer.from(body),
  ]);
const json = 'Content-Type: application/json';
const chunked = (body: string, coding: string, ...headers: string[]) =>
  head('POST /api/url/add HTTP/1.1', json, `Transfer-Encoding: ${coding}`, ...headers) +
  `${body.length.toString(16)};ext=1\r\n${body}\r\n0\r\nX-Trailer: 1\r\nAuthorization: Bearer x\r\n\r\n`;

const rows = () => server.databases.main.prepare('SELECT count(*) FROM links').pluck().get() as number;

test.each<[string, () => string | Buffer]>([
  ['a media type in capitals', () => post(link, 'CONTENT-TYPE: Application/JSON')],
  ['a charset without its dash', () => post(link, `${json}; charset=utf8`)],
  ['a charset in quotes', () => post(link, `${json}; charset="UTF-8"`)],
  ['a byte order mark', () => post(`\uFEFF${link}`, json)],
  ['chunks with extensions and trailers', () => chunked(link, 'chunked', 'Trailer: X-Trailer')],
  ['a transfer coding in capitals', () => chunked(link, 'Chunked')],
  ['a scheme of the key in lower case', () => String(post(link, json)).replace('Bearer', 'bearer')],
  [
    'null for what is not chosen',
    () =>
      post('{"url":"https://example.com/","custom":null,"password":null,"expiry":null,"domain":null}', json),
  ],
])('%s is understood', async (_what, bytes) => {
  const before = rows();
  const answer = await send(bytes());
  expect([answer.status, answer.body.error]).toEqual([200, 0]);
  expect(rows()).toBe(before + 1);
});

test.each<[string, number, string, () => string | Buffer]>([
  [
    'a form',
    415,
    'Content-Type: application/json',
    () => post('url=https%3A%2F%2Fexample.com%2F', 'Content-Type: application/x-www-form-urlencoded'),
  ],
  ['no media type', 415, 'Content-Type: application/json', () => post(link)],
  [
    'Latin-1',
    415,
    'Content-Type: application/json',
    () =>
      post(Buffer.from('{"url":"https://example.com/","title":"\xe9"}', 'latin1'), `${json}; charset=latin1`),
  ],
  [
    'Latin-1 that is said to be UTF-8',
    400,
    'UTF-8',
    () => post(Buffer.from('{"url":"https://example.com/","title":"\xe9"}', 'latin1'), json),
  ],
  ['UTF-16', 400, 'JSON', () => post(Buffer.from(link, 'utf16le'), json)],
  ['a compressed body', 415, 'content encoding', () => post(link, json, 'Content-Encoding: gzip')],
  ['a number for a text', 400, 'url', () => post('{"url":5}', json)],
  ['half a document', 400, 'JSON', () => post(link.slice(0, -4), json)],
  ['a transfer coding that nobody undoes', 400, 'HTTP', () => chunked(link, 'gzip, chunked')],
  ['chunks over HTTP/1.0', 400, 'HTTP', () => chunked(link, 'chunked').replace('HTTP/1.1', 'HTTP/1.0')],
  ['two lengths', 400, 'HTTP', () => post(link, json, 'Content-Length: 1')],
  ['a length and chunks', 400, 'HTTP', () => chunked(link, 'chunked', 'Content-Length: 5')],
])('%s is refused, and nothing of it is done', async (_what, status, words, bytes) => {
  const before = rows();
  const answer = await send(bytes());
  expect([answer.status, answer.type]).toEqual([status, 'application/json; charset=utf-8']);
  expect(answer.body).toMatchObject({ error: 1, message: expect.stringContaining(words) });
  expect(rows()).toBe(before);
});

test.each(['/api/urls/', '//api/urls', '/api//urls'])('%s names the extra slash, in JSON', async (path) => {
  const answer = await send(head(`GET ${path} HTTP/1.1`));
  expect(answer).toMatchObject({ status: 404, type: 'application/json; charset=utf-8' });
  expect(answer.body.message).toContain('Leave out double slashes');
});
