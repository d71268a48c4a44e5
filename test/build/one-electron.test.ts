// What electron-vite starts in Electron's place, with a program in Electron's place that ends at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../../build/processes.ts';

let folder = '';
let started: ChildProcess | undefined;
let output = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-in-turn-'));
});
afterEach(async () => {
  if (started && started.exitCode === null && started.signalCode === null) {
    started.kill('SIGKILL');
    await once(started, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('an Electron of `npm run dev`', () => {
  test.each([
    ['exit 127', 127],
    ['kill -ABRT $$', 134],
    ['exit 0', 0],
  ])('ends the command if it exits by `%s` at the first start', async (how, code) => {
    expect(await once(startInTurn(how), 'exit')).toEqual([code, null]);
    expect(output).not.toContain('Save a change');
    expect(existsSync(refusal())).toBe(code !== 0);
  });

  test('ends the command if its loader belongs to another system', async () => {
    expect(await once(startInTurn('', '#!/nowhere/loader\n'), 'exit')).toEqual([127, null]);
    expect(output).toContain('Electron could not be started');
    expect(existsSync(refusal())).toBe(true);
  });

  test.each([127, 133, 134])(
    'counts as runnable if it was asked to exit and does so with %i',
    async (code) => {
      const asked = `trap 'exit ${code}' TERM; : > "$0.begun"; while :; do sleep 0.05; done`;
      const command = startInTurn(asked);
      await expect.poll(() => existsSync(join(folder, 'electron.begun'))).toBe(true);
      command.kill('SIGTERM');
      expect(await once(command, 'exit')).toEqual([code, null]);
      expect(existsSync(refusal())).toBe(false);
    },
  );

  test.each([
    ['exit 1', false],
    // It ran before: this is what an edit made of it.
    ['exit 134', true],
  ])(
    'is restarted at the next change if it exits by `%s` (after another change: %s)',
    async (how, isNext) => {
      if (isNext) writeFileSync(join(folder, 'electron.pid'), '');
      const command = startInTurn(how);
      await expect.poll(() => output).toContain('Save a change to start it again.');
      expect(command.exitCode).toBe(null);
      command.kill('SIGTERM');
      await once(command, 'exit');
      expect(existsSync(refusal())).toBe(false);
    },
  );
});

/** Where it is left for the command that Electron cannot run. */
const refusal = () => join(folder, 'cannot-run');

function startInTurn(how: string, text = `#!/bin/sh\n${how}\n`): ChildProcess {
  const electron = join(folder, 'electron');
  writeFileSync(electron, text, { mode: 0o755 });
  const args = [join(projectRoot, 'build/one-electron.ts'), electron, join(folder, 'electron.pid')];
  output = '';
  started = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  started.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  return started;
}
