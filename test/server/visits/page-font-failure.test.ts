import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { pageFonts } from '../../../server/visits/redirects/page-fonts.ts';
import { fontFaces } from '../../../server/visits/redirects/pages/font.ts';

test('an unreadable part of the font is answered as missing, and logged', async () => {
  const error = vi.fn();
  // As where a file is not there any more, in the middle of an update.
  const failing = () => Promise.reject(new Error('no such file'));
  const server = createServer(pageFonts({ log: { error }, read: failing }));
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const [path = ''] = /\/assets\/[^)]+/.exec(fontFaces) ?? [];
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    expect([status, error.mock.calls]).toEqual([
      404,
      [[expect.objectContaining({ path }), 'a font could not be read']],
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
