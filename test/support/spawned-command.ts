import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../out/main/server.js');

/** Runs a command of the built program to its end: `check`, `backup`, `user` and so on. */
export async function runProgram(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, out, err };
}

/** Looks at a data folder with `check`; throws with what it says when not all is well. */
export async function expectCheckToBeClean(data: string): Promise<void> {
  const { code, out, err } = await runProgram('check', '--data', data);
  if (code !== 0) throw new Error(`check ended with ${code}:\n${out}${err}`);
}
