import { readUserAgent } from '../../platform/text/user-agent.ts';

/** The default name of a session whose client does not name its device: `Firefox on Linux`, `curl`. */
export function deviceOf(userAgent: string | undefined): string {
  const agent = (userAgent ?? '').replace(/\p{Cc}/gu, ' ').trim();
  const { browser, os } = readUserAgent(agent);
  if (browser && os) return `${browser} on ${os}`;
  // Programs call themselves by a product and its version (RFC 9110, section 10.1.5).
  const product = /^[^\s/();]{1,60}/.exec(agent)?.[0];
  return browser || os || product || 'Unknown device';
}
