import { z } from 'zod';
import type { ApiReply, ApiRequest } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { LogFile } from '../server/log-file.ts';
import type { Secrets } from '../storage/secrets.ts';
import type { Instances } from './instances.ts';
import type { SignIn } from './sign-in.ts';
import type { Target } from './target.ts';

/** Stores the key contained in a reply, and returns the reply as the page may see it. */
export type TokenKeeper = (
  instanceId: string,
  target: Target,
  request: ApiRequest,
  reply: ApiReply,
) => Promise<ApiReply>;

interface TokenKeeperOptions {
  secrets: Secrets;
  instances: Pick<Instances, 'noteSignIn'>;
  signIn: SignIn;
  log: LogFile;
}

/** Whether a request authenticates by its body and must not carry a key. */
export function carriesNoKey(request: ApiRequest): boolean {
  const paths = ['/api/auth/login', '/api/auth/register', '/api/auth/browser/finish', '/api/setup'];
  return paths.includes(pathOf(request));
}

const withToken = z.object({ data: z.looseObject({ token: z.string().min(1).max(4_096) }) });
const withApiKey = z.object({ data: z.object({ api_key: z.string().min(1).max(4_096) }) });
const setUpBody = z.object({ username: z.string(), password: z.string() });

/** Extracts keys from the replies to sign-in, registration and setup (decision 0008). */
export function tokenKeeper({ secrets, instances, signIn, log }: TokenKeeperOptions): TokenKeeper {
  async function keep(instanceId: string, target: Target, key: string): Promise<void> {
    await secrets.keep(target.binding, key);
    instances.noteSignIn(instanceId);
  }

  /**
   * The API key created by setup is shown to the user once and belongs to them. The app itself signs in for a session
   * like any client, because sessions have the rate limit of a person and API keys that of a program.
   */
  async function keepSession(
    instanceId: string,
    target: Target,
    apiKey: string,
    body: unknown,
  ): Promise<void> {
    const given = safeParse(setUpBody, body);
    const token = given.success && (await signIn(target, given.data.username, given.data.password));
    if (!token) log.note('no session after the set-up: the new key is used instead');
    await keep(instanceId, target, token || apiKey);
  }

  return async (instanceId, target, request, reply) => {
    const isOk = reply.status >= 200 && reply.status < 300;
    if (request.method !== 'POST' || !isOk || !carriesNoKey(request)) return reply;
    if (pathOf(request) === '/api/setup') {
      const answer = safeParse(withApiKey, reply.body);
      if (answer.success) await keepSession(instanceId, target, answer.data.data.api_key, request.body);
      return reply;
    }
    const answer = safeParse(withToken, reply.body);
    if (!answer.success) return reply;
    await keep(instanceId, target, answer.data.data.token);
    // Empty rather than absent: the page validates replies against the contract, where the token is a string.
    return { ...reply, body: { ...(reply.body as object), data: { ...answer.data.data, token: '' } } };
  };
}

function pathOf(request: ApiRequest): string {
  return request.path.split('?', 1)[0] ?? '';
}
