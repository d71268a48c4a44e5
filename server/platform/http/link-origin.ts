import type { IncomingMessage } from 'node:http';
import { isEncrypted } from './encryption.ts';
import { type HostList, loopbackNames, readHost } from './hosts.ts';

interface Options {
  /** The instance's public URL, if configured. */
  publicUrl: () => string | undefined;
  port: () => number;
  hosts: Pick<HostList, 'isOfNetwork' | 'networkOrigin'>;
}

/** Returns the origin of links to our pages that the caller shares (decision 0087). */
export type LinkOrigin = (request: IncomingMessage) => string;

/**
 * The public URL; without one, the URL with which the caller reached us, if it is one of our hosts. A loopback address
 * is replaced by that of the local network while sharing is on. Short links in a local network use plain HTTP, where
 * nobody can sign in: that does not count as a public URL here.
 */
export function linkOrigin({ publicUrl, port, hosts }: Options): LinkOrigin {
  return (request) => {
    const url = publicUrl();
    const isInsecure = url?.startsWith('http:') === true && hosts.isOfNetwork(new URL(url).hostname);
    if (url !== undefined && !isInsecure) return url;
    const asked = readHost(request);
    const isElsewhere = asked !== undefined && !loopbackNames.includes(asked.name);
    if (!isElsewhere || (isInsecure && !isEncrypted(request))) {
      return hosts.networkOrigin() ?? url ?? `http://localhost:${port()}`;
    }
    const shownPort = asked.port === undefined ? '' : `:${asked.port}`;
    return `${isEncrypted(request) ? 'https' : 'http'}://${asked.name}${shownPort}`;
  };
}
