// `npm start` with a window: what it hands on to Electron, whose place a script takes that writes down what it is
// given.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mustRunUnsandboxed } from '../../build/electron-runtime.ts';
import { projectRoot } from '../../build/processes.ts';

let folder = '';
beforeEach((context) => {
  context.skip(
    process.platform !== 'linux',
    'on other systems the runtime has other names, and needs no display',
  );
  // What shells and addresses trip over.
  folder = mkdtempSync(join(tmpdir(), "waypost's #1 50%é-"));
  const electron = join(folder, 'electron');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    electron,
    `#!/bin/sh\nprintf '%s\\n' "$@" >"$WRITTEN/args"\necho "\${ELECTRON_RUN_AS_NODE-unset}" >"$WRITTEN/as-node"\n`,
  );
  chmodSync(electron, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command; resolves to its exit code and what it said. */
function start(...args: string[]): Promise<{ code: number; said: string }> {
  return promisify(execFile)(process.execPath, [join(projectRoot, 'build/start.ts'), ...args], {
    env: {
      ...process.env,
      ...{
        DISPLAY: ':none',
        ELECTRON_OVERRIDE_DIST_PATH: folder,
        WRITTEN: folder,
        ELECTRON_RUN_AS_NODE: '1',
      },
    },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      said: stdout + stderr,
    }),
  );
}

const written = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');

test('the app gets its options, and Electron never runs as plain Node, whatever the terminal sets', async () => {
  expect((await start('--port', '9000', '--data', 'my links')).code).toBe(0);
  const sandbox = mustRunUnsandboxed() ? ['--no-sandbox'] : [];
  expect(written('args')).toEqual(['.', ...sandbox, '--port', '9000', '--data', 'my links']);
  expect(written('as-node')).toEqual(['unset']);
});

test('an option for the server only is refused, with the command that accepts it', async () => {
  const { code, said } = await start('--host', '0.0.0.0');
  expect([code, said]).toEqual([1, expect.stringContaining('npm run serve -- ')]);
  expect(() => written('args')).toThrow('ENOENT');
});

test('if the program cannot be started, the server runs alone, and says so', async () => {
  // As it is where the system has another C library than it was made for.
  writeFileSync(join(folder, 'electron'), '#!/nowhere/loader\n');
  const { code, said } = await start('--nonsense');
  expect(said).toContain('No window, because Electron cannot run on this machine (exit code 127)');
  // The server's own word.
  expect(said).toContain("Unknown option '--nonsense'");
  expect(code).toBeGreaterThan(0);
});
