import type { IncomingMessage, ServerResponse } from 'node:http';

const prefix = '/.well-known/acme-challenge/';

/** Answers that a certificate authority looks for on port 80 (RFC 8555, section 8.3). */
export interface Challenges {
  add(token: string, answer: string): void;
  remove(token: string): void;
  /** Answers any request below the well-known path; false for all others. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The challenges of the orders that are under way. */
export function challenges(): Challenges {
  const answers = new Map<string, string>();
  return {
    add: (token, answer) => void answers.set(token, answer),
    remove: (token) => void answers.delete(token),
    serve(request, response) {
      const { url = '' } = request;
      if (!url.startsWith(prefix)) return false;
      const answer = answers.get(url.slice(prefix.length));
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const body = isRead && answer !== undefined ? answer : 'Not found.\n';
      response.writeHead(isRead && answer !== undefined ? 200 : 404, {
        'Content-Type': answer === undefined ? 'text/plain; charset=utf-8' : 'application/octet-stream',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        // What is left of a body must not be taken for the next request.
        ...(!isRead && { Connection: 'close' }),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
      return true;
    },
  };
}
