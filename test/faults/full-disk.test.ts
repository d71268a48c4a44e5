import { test } from 'vitest';
import { seededIntegers } from '../support/clock.ts';
import { expectWayOut, instanceOn } from '../support/full-disk.ts';
import { smallDisk } from '../support/small-disk.ts';
import { times, trialOf } from '../support/trials.ts';

const points = times({ short: 10, long: 50 });
const next = seededIntegers(4);

test(`a disk that is full at any of ${points} points is left again by deleting (F-04)`, {
  timeout: 900_000,
}, async (context) => {
  const trial = trialOf(context, 'F-04', 'full disk, left again by deleting');
  for (let point = 0; point < points; point += 1) {
    const disk = smallDisk(32);
    if (!disk) {
      context.skip();
      return;
    }
    trial.tried += 1;
    try {
      const instance = await instanceOn(disk);
      // From the last block to a megabyte.
      disk.fill(point === 0 ? 0 : next(1_048_576));
      await expectWayOut(disk, instance);
      trial.survived += 1;
    } finally {
      disk.remove();
    }
  }
});
