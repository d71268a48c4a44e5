import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a redirect costs at least: Node's own server with one fixed answer. Prints its port. */
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
