import type { Secrets } from '../storage/secrets.ts';
import type { Target } from './target.ts';

/** Shown to a user who has not agreed to send secrets unencrypted. */
export const agreeFirst =
  'Without https, others on the network can read passwords and keys. Allow this in the instance settings, or use https.';

/** The key to send to a target; undefined if there is none or if it would be sent unencrypted without consent. */
export async function keyFor(secrets: Pick<Secrets, 'find'>, target: Target): Promise<string | undefined> {
  return target.isClear ? undefined : secrets.find(target.binding);
}

/** Whether requests to an origin are unencrypted and leave this computer (http to anything but loopback). */
export function isExposed(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
