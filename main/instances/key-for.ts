import type { Secrets } from '../storage/secrets.ts';
import type { Target } from './target.ts';

/** What a person is told who has not agreed to send secrets without encryption. */
export const agreeFirst =
  'Without https, others on the network can read passwords and keys. Allow this in the instance settings, or use https.';

/**
 * The key that goes with requests to a target; undefined where there is none, or where it would travel in the clear.
 */
export async function keyFor(secrets: Pick<Secrets, 'find'>, target: Target): Promise<string | undefined> {
  return target.isClear ? undefined : secrets.find(target.binding);
}

/**
 * Whether what is sent to an origin travels in the clear through a network that others are in. This computer's own
 * loopback addresses are none.
 */
export function isExposed(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
