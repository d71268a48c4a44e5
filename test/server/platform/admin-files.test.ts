import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminPages } from '../../../server/platform/http/admin.ts';

test.skipIf(process.platform !== 'linux')(
  'a file of the admin pages that cannot be read harms nothing else',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-admin-'));
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    // A regular file, whose first byte cannot be read.
    symlinkSync('/proc/self/mem', join(folder, 'damaged.png'));
    const server = createServer(adminPages(folder));
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/admin`;
      await fetch(`${url}/damaged.png`).catch(() => {});
      expect((await fetch(`${url}/nothing.png`)).status).toBe(404);
      expect(uncaught).toEqual([]);
    } finally {
      process.off('uncaughtExceptionMonitor', note);
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
