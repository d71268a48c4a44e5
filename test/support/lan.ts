import { request } from 'node:http';
import type { Network } from '../../server/network/sharing/module.ts';
import { listen } from '../../server/platform/http/listen.ts';
import type { TestApp } from './app.ts';

/** Another loopback address represents one of the network: only sharing listens on it. */
export const lan = '127.0.0.2';
/** And this one represents another machine in it. */
const otherMachine = '127.0.0.9';

/** The network interfaces for a test's server, which is not started yet. */
export function lanNetwork(server: () => TestApp): Network {
  return {
    addresses: () => [lan],
    hostName: 'Desk',
    bound: () => ['127.0.0.1'],
    listenOn: (address, handler) =>
      listen({ hosts: [address], port: server().port, handler, ...server().bounds }),
    securelyBound: () => [],
    listenSecurelyOn: (address, port, handler) =>
      listen({
        hosts: [address],
        port,
        handler,
        certificateFor: server().app.certificateFor,
        onOwnCertificate: server().app.certificates.onNetworkCertificate,
        ...server().bounds,
      }),
    discovery: undefined,
  };
}

/** The response to a plain request from another machine in the network. */
export function askFromElsewhere(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: lan, port, path, headers, localAddress: otherMachine }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, location: reply.headers.location, body }),
      );
    });
    asked.on('error', reject).end();
  });
}
