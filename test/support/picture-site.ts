import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { type Fetcher, fetcher } from '../../server/platform/fetcher/fetcher.ts';

export interface PictureSite {
  /** Address of the site without a slash at its end: /wide.png, /tall.jpg, /page.html, /big.png. */
  origin: string;
  /** A fetcher that may ask this site and nothing else of this machine's network. */
  fetcher: Fetcher;
  close(): Promise<void>;
}

/** A site on this machine that serves pictures and other content. */
export async function pictureSite(): Promise<PictureSite> {
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#3366cc' } });
  const files: Record<string, Buffer> = {
    '/wide.png': await flat(900, 300).png().toBuffer(),
    '/tall.jpg': await flat(300, 900)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'planted' } })
      .toBuffer(),
    '/page.html': Buffer.from('<!doctype html><title>No picture</title>'),
    '/vector.png': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    '/huge.png': Buffer.alloc(5_000_001),
  };
  const server = createServer((request, response) => {
    const body = files[request.url ?? ''];
    if (body) response.writeHead(200, { 'content-type': 'image/png' }).end(body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    fetcher: fetcher({ allowedRanges: () => ['127.0.0.1/32'], ports: [port] }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
