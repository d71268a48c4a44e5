import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '../requests/refused.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { hiddenArgument } from './start-options.ts';

interface AutostartOptions {
  /** The folder of login entries (XDG autostart). */
  folder: string;
  program: string;
  switches: readonly string[];
}

/** Larger than any entry: other programs' files are not read as a whole. Bytes. */
const largest = 65_536;

/**
 * Start at login on Linux, as an XDG autostart file. Desktop environments also edit the file when the user turns the
 * entry off.
 */
export interface Autostart {
  isSet(): boolean;
  /** Throws Refused if the file cannot be written or removed. */
  set(isOn: boolean): void;
  /** Updates an entry created before the executable was moved. Throws like `set`. */
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
      // An entry with the right path may have been edited by the user, so it is left unchanged.
      if (isSet() && !found()?.includes(commandOf(program))) change(write);
    },
  };
}

/** A desktop entry file (specification version 1.5) that starts the program without a window. */
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

/** The program as an `Exec` value (specification, "The Exec key"). */
function commandOf(program: string): string {
  // Desktops look up the program before they unescape `%%`, and the specification forbids `=`, so such a path is
  // started through the shell.
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
