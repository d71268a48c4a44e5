import { test } from 'vitest';
import { seededIntegers } from '../support/clock.ts';
import { expectWayOut, instanceOn } from '../support/full-disk.ts';
import { smallDisk } from '../support/small-disk.ts';

const points = 50;
const next = seededIntegers(4);

test(`a disk that is full at any of ${points} points is left again by deleting (F-04)`, {
  timeout: 900_000,
}, async (context) => {
  for (let point = 0; point < points; point += 1) {
    const disk = smallDisk(32);
    if (!disk) {
      context.skip();
      return;
    }
    try {
      const instance = await instanceOn(disk);
      // From the last block to a megabyte.
      disk.fill(point === 0 ? 0 : next(1_048_576));
      await expectWayOut(disk, instance);
    } finally {
      disk.remove();
    }
  }
});
