import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFolder, removeFolder } from '../../build/scratch.ts';

/** Of nobody: the kernel gives no process so high a number. */
const abandoned = '/dev/shm/waypost-tests-4194305';
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/dev/shm');

test.skipIf(!canMount)(
  'a disk left mounted by a killed run does not prevent a later run from starting',
  () => {
    const mounted = join(abandoned, 'mounted');
    mkdirSync(mounted, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', mounted]);
    try {
      expect(() => memoryFolder()).not.toThrow();
    } finally {
      execFileSync('umount', [mounted]);
      removeFolder(abandoned);
    }
  },
);
