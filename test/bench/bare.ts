import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The minimum cost of a redirect: Node's own server with one fixed response. Prints its port. */
const headers = [
  'Location',
  'https://example.com/articles/1',
  'Cache-Control',
  'private, no-store',
  'Content-Length',
  '0',
];
const server = createServer((_request, response) => {
  response.writeHead(302, headers);
  response.end();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
