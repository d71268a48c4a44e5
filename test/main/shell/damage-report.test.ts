import { expect, test } from 'vitest';
import { damageReport } from '../../../main/shell/damage-report.ts';
import { mostUntold, type Preferences, preferences } from '../../../main/storage/preferences.ts';

/** Starts with what is remembered, until something else is. */
function start(kept: Preferences, found: readonly string[], isAnswered = true) {
  const asked: string[] = [];
  const memory = { kept };
  const tell = damageReport({
    found,
    remembered: { read: () => memory.kept },
    remember(change) {
      // As it comes back from a file.
      memory.kept = preferences.parse(JSON.parse(JSON.stringify({ ...memory.kept, ...change })));
    },
    async ask({ detail = '' }) {
      asked.push(detail);
      return isAnswered ? 0 : undefined;
    },
  });
  return { tell, asked, memory };
}

test('what could not be read is told once, however many windows are shown, and forgotten then', async () => {
  const { tell, asked, memory } = start({ port: 8421 }, ['keys.json is damaged.']);
  expect(memory.kept).toEqual({ port: 8421, untold: ['keys.json is damaged.'] });
  await Promise.all([tell(), tell()]);
  expect(asked).toEqual([expect.stringContaining('keys.json is damaged.')]);
  expect(memory.kept).toEqual({ port: 8421 });
});

test('what the last starts had nobody to tell is told with what this one found', async () => {
  const { tell, asked } = start({ untold: ['a is damaged.', 'b is damaged.'] }, [
    'b is damaged.',
    'c is no file.',
  ]);
  await tell();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('a is damaged.\n\nb is damaged.\n\nc is no file.');
});

test('a box that the end of the system has closed is shown again at the next start', async () => {
  const { tell, memory } = start({}, ['keys.json is damaged.'], false);
  await tell();
  const next = start(memory.kept, []);
  await next.tell();
  expect(next.asked).toHaveLength(1);
  expect(next.memory.kept).toEqual({});
});

test('of a file that is damaged at every start no more is remembered than a box can hold', async () => {
  let kept: Preferences = {};
  for (let day = 1; day <= 2 * mostUntold; day += 1)
    kept = start(kept, [`keys.json, day ${day}`]).memory.kept;
  expect(kept.untold).toHaveLength(mostUntold);
  expect(kept.untold?.at(-1)).toBe(`keys.json, day ${2 * mostUntold}`);
});

test('with nothing to tell nothing is asked, and nothing written', async () => {
  const { tell, asked, memory } = start({ port: 8421 }, []);
  const before = memory.kept;
  await tell();
  expect(asked).toEqual([]);
  expect(memory.kept).toBe(before);
});
