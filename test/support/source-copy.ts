import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { projectRoot } from '../../build/processes.ts';

/** A copy of the project's sources for editing. */
export interface SourceCopy {
  /** The folder around the sources, for other files of a test. */
  readonly folder: string;
  /** The sources. */
  readonly path: string;
  /** Replaces a text in a file like saving it in an editor. Throws if the text is missing. */
  edit(path: string, from: string | RegExp, to: string): void;
  /** The running processes that were started with a path in the folder, as far as the system lists them in files. */
  processes(): { pid: number; command: string }[];
  remove(): void;
}

/** Copies what is built; what is installed is shared. */
export function sourceCopy(): SourceCopy {
  // With what shells and addresses trip over.
  const folder = mkdtempSync(join(tmpdir(), 'waypost dev é-'));
  const path = join(folder, 'sources');
  mkdirSync(path);
  for (const part of ['main', 'preload', 'renderer', 'server', 'build']) {
    cpSync(join(projectRoot, part), join(path, part), {
      recursive: true,
      filter: (from) => !from.slice(projectRoot.length).split(sep).includes('node_modules'),
    });
  }
  for (const file of [
    'package.json',
    'electron.vite.config.ts',
    'tsconfig.json',
    'tsconfig.base.json',
    'test/tsconfig.json',
  ]) {
    cpSync(join(projectRoot, file), join(path, file));
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(path, 'node_modules'), 'junction');
  return {
    folder,
    path,
    edit(name, from, to) {
      const file = join(path, name);
      const text = readFileSync(file, 'utf8');
      const edited = text.replace(from, to);
      if (edited === text)
        throw new Error(`${name} has no ${from} any more; the test has to edit something else.`);
      writeFileSync(file, edited);
    },
    processes: () => processesOf(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function processesOf(path: string): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
    .filter(({ command }) => command.includes(path));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It has just ended.
    return '';
  }
}
