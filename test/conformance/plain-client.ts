import { request } from 'node:http';

export interface PlainReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
  body: any;
}

/** A client that knows nothing but HTTP and the published contract. */
export function plainClient(origin: string, key?: string) {
  return (method: string, path: string, body?: unknown): Promise<PlainReply> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(text !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
        }),
      };
      const sent = request(new URL(path, origin), { method, headers, agent: false }, (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          answer += chunk;
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(answer),
          });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
}

export type PlainClient = ReturnType<typeof plainClient>;
