import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '../requests/refused.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { hiddenArgument } from './start-options.ts';

interface AutostartOptions {
  /** The folder whose entries the desktop starts at sign-in (XDG autostart). */
  folder: string;
  program: string;
  switches: readonly string[];
}

/** Larger than any entry: other programs' files are not read as a whole. Bytes. */
const largest = 65_536;

/**
 * The start at sign-in on Linux: a file that the person's desktop reads, and writes to when they switch it off there.
 */
export interface Autostart {
  isSet(): boolean;
  /** Throws Refused where the file cannot be written or removed. */
  set(isOn: boolean): void;
  /** Has an entry that was made before the program was moved lead to it again. Throws as `set` does. */
  renew(): void;
}

export function autostart({ folder, program, switches }: AutostartOptions): Autostart {
  const file = join(folder, 'waypost.desktop');

  function found(): string | undefined {
    const facts = lstatSync(file, { throwIfNoEntry: false });
    // Anything but a file is not ours, and reading a pipe would block.
    return facts?.isFile() && facts.size <= largest ? readFileSync(file, 'utf8') : undefined;
  }

  function isSet(): boolean {
    const entry = found();
    return (
      entry !== undefined && !/^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(entry)
    );
  }

  function change(what: () => void): void {
    try {
      what();
    } catch (error) {
      const { message } = error as Error;
      throw new Refused(`The start at sign-in cannot be changed (${message}). Check what is at that path.`);
    }
  }

  const write = () => replaceFile(file, autostartEntry(program, switches), 0o644);
  return {
    isSet,
    set: (isOn) => change(isOn ? write : () => rmSync(file, { force: true })),
    renew() {
      // An entry that leads here may hold words of the person's own, so it stays as it is.
      if (isSet() && !found()?.includes(commandOf(program))) change(write);
    },
  };
}

/** A file of the desktop entry specification (version 1.5) that starts the program without a window. */
export function autostartEntry(program: string, switches: readonly string[] = []): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Waypost',
    `Exec=${[commandOf(program), ...switches, hiddenArgument].join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** How `Exec` names a program (specification, "The Exec key"). */
function commandOf(program: string): string {
  // Desktops look for the program before they undo `%%`, and the specification forbids `=`: there the shell is the
  // program.
  const words = /[%=]/.test(program) ? ['/bin/sh', '-c', 'exec "$0" "$@"', program] : [program];
  return words.map(quoted).join(' ');
}

/** Quoted as an argument, then escaped like every string of a desktop entry. */
function quoted(argument: string): string {
  const inQuotes = `"${argument.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
  return inQuotes
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
