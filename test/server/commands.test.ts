import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../server/commands/run.ts';
import { startApp } from '../support/app.ts';
import { seededIntegers } from '../support/clock.ts';

let base = '';
let data = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'waypost-commands-'));
  data = join(base, 'data');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Runs a command in this process; `--data` is the folder of the test. */
async function run(name: string, ...args: string[]): Promise<{ code: number; out: string[]; err: string[] }> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (line: string) => void out.push(line),
    remark: (line: string) => void err.push(line),
  };
  const code = await runCommand(name, [...args, '--data', data], terminal);
  return { code, out, err };
}

/** An instance with an administrator that was used and stopped. */
async function stoppedInstance(): Promise<void> {
  await (await startApp({ folder: data })).close();
}

test('the last administrator is not deleted, and that is all that is said', async () => {
  await stoppedInstance();
  expect(await run('user', 'remove', 'anna', '--yes')).toEqual({
    code: 1,
    out: [],
    err: ['This is the last administrator. Make somebody else one first.'],
  });
  expect((await run('user', 'list')).out).toHaveLength(2);
});

test.each([['check'], ['backup'], ['user', 'list'], ['export', '--user', 'anna']])(
  '%s ends with 78 and a sentence where pages of the database are noise',
  async (...command) => {
    await stoppedInstance();
    const pages = 4096;
    const next = seededIntegers();
    const noise = Buffer.from(Array.from({ length: 40 * pages }, () => next(256)));
    const descriptor = openSync(join(data, 'waypost.sqlite'), 'r+');
    writeSync(descriptor, noise, 0, noise.length, 19 * pages);
    closeSync(descriptor);
    const [name = '', ...args] = command;
    const { code, out, err } = await run(name, ...args);
    expect(code).toBe(78);
    expect([...out, ...err].filter((line) => line.includes('damaged'))).toHaveLength(1);
    expect([...out, ...err].join('\n')).not.toMatch(/^\s+at /m);
  },
);
