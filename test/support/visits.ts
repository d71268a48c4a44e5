import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { TestApp } from './app.ts';

export interface Visited {
  status: number;
  headers: IncomingHttpHeaders;
  location: string | undefined;
  body: string;
}

export const browsers = {
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  previewBot: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
};

interface VisitOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  agent?: keyof typeof browsers;
}

/** A visit by a browser, with exactly the given path and Host header. */
export function visit(
  server: Pick<TestApp, 'port'>,
  path: string,
  options: VisitOptions = {},
): Promise<Visited> {
  const { method = 'GET', headers = {}, body, agent = 'windows' } = options;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method,
        agent: false,
        headers: {
          Host: `localhost:${server.port}`,
          'User-Agent': browsers[agent],
          'Accept-Language': 'en-US,en;q=0.9',
          ...(body !== undefined && {
            'Content-Type': 'application/x-www-form-urlencoded',
            'Content-Length': String(Buffer.byteLength(body)),
          }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            location: response.headers.location,
            body: text,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
