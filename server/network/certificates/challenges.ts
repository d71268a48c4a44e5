import type { IncomingMessage, ServerResponse } from 'node:http';

const prefix = '/.well-known/acme-challenge/';

/** Lets other machines answer as well, if a host's name may lead to any of them. */
export interface SharedChallenges {
  add(token: string, answer: string): Promise<void>;
  remove(token: string): Promise<void>;
}

/** Answers that a certificate authority looks for on port 80 (RFC 8555, section 8.3). */
export interface Challenges {
  /** Resolves when the response is available everywhere. Never rejects. */
  add(token: string, answer: string): Promise<void>;
  remove(token: string): Promise<void>;
  /** Answers any request below the well-known path; false for all others. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The challenges of the orders that are under way. */
export function challenges(others: () => SharedChallenges | undefined): Challenges {
  const answers = new Map<string, string>();
  return {
    async add(token, answer) {
      answers.set(token, answer);
      // If the others cannot be told, the authority may still reach this machine.
      await others()
        ?.add(token, answer)
        .catch(() => {});
    },
    async remove(token) {
      answers.delete(token);
      await others()
        ?.remove(token)
        .catch(() => {});
    },
    serve(request, response) {
      const token = challengeOf(request.url ?? '');
      if (token === undefined) return false;
      sendChallenge(request, response, answers.get(token));
      return true;
    },
  };
}

/** What an authority asks for by a path; undefined for all other paths. */
export function challengeOf(path: string): string | undefined {
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Answers an authority; with 404 where there is nothing to say. */
export function sendChallenge(
  request: IncomingMessage,
  response: ServerResponse,
  answer: string | undefined,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const body = isRead && answer !== undefined ? answer : 'Not found.\n';
  response.writeHead(isRead && answer !== undefined ? 200 : 404, {
    'Content-Type': answer === undefined ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // The rest of a body must not be parsed as the next request.
    ...(!isRead && { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
