import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import type { MadeCertificate } from './certificates.ts';
import { testClock } from './clock.ts';
import { answerJson } from './desktop-parts.ts';
import { type TappedLine, tappedLine } from './tapped-line.ts';

/** A real instance with HTTPS by its own authority, behind recorded connections. */
export interface TappedOffice {
  server: TestApp;
  /** The line to its HTTPS port, and its origin. */
  line: TappedLine;
  https: string;
  /** The line to its plain port. */
  http: TappedLine;
  close(): Promise<void>;
}

export async function tappedOffice(): Promise<TappedOffice> {
  const server = await startApp({
    // Clients judge certificates by the real clock.
    clock: testClock(Date.now()),
    https: true,
    settings: { ssl: { mode: 'local' } },
  });
  const line = await tappedLine(server.httpsPort);
  const http = await tappedLine(server.port);
  const https = `https://127.0.0.1:${line.port}`;
  // It answers to its own addresses only, and this line is one of them.
  await server.request('PUT', '/api/settings', { body: { baseUrl: https } });
  await server.request('POST', '/api/domains/sync', { body: {} });
  await expect
    .poll(async () => (await server.request('GET', '/api/domains/sync')).body.data.own?.expires ?? null)
    .not.toBeNull();
  return {
    server,
    line,
    https,
    http,
    async close() {
      await Promise.all([line.close(), http.close()]);
      await server.close();
    },
  };
}

export interface Impostor {
  /** The headers of each request, as text. */
  seen: string[];
  port: number;
  origin: string;
  close(): void;
}

/** A server of an attacker's, with a certificate that it made itself. */
export async function impostorWith(
  made: MadeCertificate,
  answer?: Parameters<typeof createServer>[1],
): Promise<Impostor> {
  const seen: string[] = [];
  const server: Server = createServer({ key: made.key, cert: made.certificate }, (request, response) => {
    seen.push(JSON.stringify(request.headers));
    if (answer) answer(request, response);
    else answerJson(response, { error: 0 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    port,
    origin: `https://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
