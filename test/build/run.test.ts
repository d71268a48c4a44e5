import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../../build/run.mjs');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')(
  'a script exits when the shell that npm started it in exits',
  async () => {
    const script = join(folder, 'stay.mjs');
    writeFileSync(script, 'process.stdout.write(String(process.pid));\nsetInterval(() => {}, 1000);\n');
    // The second command keeps the shell from becoming the script.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${launcher}" "${script}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'serve' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    shell.kill('SIGTERM');
    await once(shell, 'exit');
    try {
      await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'Electron receives each request to quit once, even if npm, a shell and a terminal all send it',
  async () => {
    // What Electron would be: it counts signals until it is told to end.
    const program = join(folder, 'counts.mjs');
    writeFileSync(
      program,
      `import { existsSync } from 'node:fs';
       const heard = [];
       for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => heard.push(name));
       setInterval(() => existsSync('end') && setTimeout(() => process.exit(heard.length), 100), 50);
       process.stdout.write('runs ');`,
    );
    const script = join(folder, 'starts.mjs');
    const processes = new URL('../../build/processes.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { runElectron } from ${JSON.stringify(processes)};
       const code = runElectron(process.execPath, ['-e', 'process.chdir(process.argv[2]); import(process.argv[1])',
         ${JSON.stringify(program)}, ${JSON.stringify(folder)}], process.env);
       // After those that hand them on.
       for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.stdout.write(name + ' '));
       process.exit(await code);`,
    );
    // In a group of its own, as what a terminal runs.
    const starter = spawn(process.execPath, [script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    let said = '';
    starter.stdout.on('data', (text) => {
      said += text;
    });
    const ended = once(starter, 'exit');
    await expect.poll(() => said, { timeout: 20_000 }).toBe('runs ');
    process.kill(-(starter.pid ?? 0), 'SIGINT');
    await expect.poll(() => said, { timeout: 20_000 }).toBe('runs SIGINT ');
    starter.kill('SIGTERM');
    await expect.poll(() => said, { timeout: 20_000 }).toBe('runs SIGINT SIGTERM ');
    writeFileSync(join(folder, 'end'), '');
    expect(await ended).toEqual([1, null]);
  },
);

test.skipIf(process.platform === 'win32')(
  'closing a Windows console notifies a program directly, so no second signal is sent',
  async () => {
    const program = join(folder, 'counts.mjs');
    writeFileSync(
      program,
      `let heard = 0;
       process.on('SIGHUP', () => heard++);
       process.on('SIGTERM', () => process.exit(heard));
       setInterval(() => {}, 1000);
       process.stdout.write('runs ');`,
    );
    const script = join(folder, 'starts.mjs');
    const processes = new URL('../../build/processes.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { run } from ${JSON.stringify(processes)};
       Object.defineProperty(process, 'platform', { value: 'win32' });
       const code = run(process.execPath, [${JSON.stringify(program)}]);
       // After the one that hands it on.
       process.on('SIGHUP', () => process.stdout.write('SIGHUP '));
       process.exit(await code);`,
    );
    const starter = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    starter.stdout.on('data', (text) => {
      said += text;
    });
    const ended = once(starter, 'exit');
    await expect.poll(() => said, { timeout: 20_000 }).toBe('runs ');
    starter.kill('SIGHUP');
    await expect.poll(() => said, { timeout: 20_000 }).toBe('runs SIGHUP ');
    starter.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a checkout in a folder that the build tools cannot read is reported at once, and no other is',
  async () => {
    const script = join(folder, 'done.mjs');
    writeFileSync(script, "process.stdout.write('done');\n");
    const startIn = async (name: string, started = script) => {
      const place = join(folder, name, 'build');
      mkdirSync(place, { recursive: true });
      cpSync(launcher, join(place, 'run.mjs'));
      const child = spawn(process.execPath, [join(place, 'run.mjs'), started]);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
      const [code] = await once(child, 'close');
      return { code, said };
    };
    for (const character of ['#', '?', '*', '"']) {
      const { code, said } = await startIn(`a ${character} b`);
      expect(code).toBe(1);
      expect(said).toContain(`has the character ${character} in it. Move or rename the folder.`);
    }
    expect(await startIn("O'Brien, 100%41 é")).toEqual({ code: 0, said: 'done' });
    const { said } = await startIn('100%', join(folder, 'test.ts'));
    expect(said).toContain('has the character % in it');
  },
);

test.skipIf(process.platform === 'win32')(
  '`waypost` works in any folder and writes to that folder',
  async () => {
    const command = join(folder, 'waypost');
    symlinkSync(join(import.meta.dirname, '../../build/waypost.mjs'), command);
    const child = spawn(command, ['fleet', 'config', '--out', 'engine'], { cwd: folder, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readdirSync(join(folder, 'engine'))).toContain('nats.conf');
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}
