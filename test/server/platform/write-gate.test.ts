import { expect, test } from 'vitest';
import { writeGate } from '../../../server/platform/http/write-gate.ts';

test('a closing gate waits for running writes, and admits no more until it is opened', async () => {
  const gate = writeGate();
  const [first, second] = [gate.enter(), gate.enter()];
  let isClosed = false;
  const closed = gate.close().then(() => {
    isClosed = true;
  });
  expect(() => gate.enter()).toThrow('being restored');
  expect(() => gate.check()).toThrow('being restored');
  first();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  second();
  await closed;
  const opened = gate.opened();
  gate.open();
  await opened;
  await gate.opened();
  gate.enter()();
  await gate.close();
});
