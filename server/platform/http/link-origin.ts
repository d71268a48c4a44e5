import type { IncomingMessage } from 'node:http';
import { isEncrypted } from './encryption.ts';
import { type HostList, loopbackNames, readHost } from './hosts.ts';

interface Options {
  /** The instance's public address, when configured. */
  publicUrl: () => string | undefined;
  port: () => number;
  hosts: Pick<HostList, 'isOfNetwork' | 'networkOrigin'>;
}

/** Returns where a link to our pages begins that whoever sends a request hands on (decision 0087). */
export type LinkOrigin = (request: IncomingMessage) => string;

/**
 * The public URL; without one the address by which whoever asks reached us, which is on the list of our hosts, and in
 * place of an address of this machine alone that of the local network, where it is shared there. Short links of a
 * network begin with a plain address, where nobody can sign in: that is not a public URL here.
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
