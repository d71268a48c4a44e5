import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestApp } from './app.ts';

export interface Uploaded {
  id: number;
  shorturl: string;
}

/** Uploads a content with a plain client; throws if it is refused. */
export async function upload(
  server: TestApp,
  content: string | Buffer,
  query: Record<string, string> = {},
  filename = 'report.txt',
): Promise<Uploaded> {
  const reply = await server.request('POST', uploadPath(filename, query), { rawBody: content });
  if (reply.status !== 200) throw new Error(`upload refused: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export function uploadPath(filename: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `/api/files/upload/${encodeURIComponent(filename)}${search && `?${search}`}`;
}

/** The names of all contents on the disk, finished and not. */
export function storedContents(server: TestApp): { finished: string[]; unfinished: string[] } {
  const folder = join(server.folder, 'files');
  return {
    finished: readdirSync(folder).filter((name) => name !== 'tmp'),
    unfinished: readdirSync(join(folder, 'tmp')),
  };
}

/**
 * Sends raw bytes and returns the response, when the server closes or after `hangUpMs`. `bytes` may be sent in several
 * pieces.
 */
export function rawExchange(
  port: number,
  pieces: (string | Buffer)[],
  hangUpMs = 5_000,
): Promise<{ text: string; closedByServer: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => done(false), hangUpMs);
    function done(closedByServer: boolean) {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closedByServer });
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => done(true));
    socket.on('end', () => done(true));
    for (const piece of pieces) socket.write(piece);
  });
}

/** The head of an upload as a raw client writes it. */
export function uploadHead(server: TestApp, token: string, headers: string[], filename = 'raw.bin'): string {
  return [
    `POST /api/files/upload/${filename} HTTP/1.1`,
    `Host: localhost:${server.port}`,
    `Authorization: Bearer ${token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}
