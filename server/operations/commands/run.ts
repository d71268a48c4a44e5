import { DatabaseRefused, isDamage } from '../../platform/database/refused.ts';
import { Refusal } from '../../platform/errors.ts';
import { BackupRefused } from '../backup/refused.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import {
  type Command,
  CommandFailed,
  type CreateCommandApp,
  commandCodes,
  type Terminal,
} from './command.ts';
import { exportCommand } from './export.ts';
import { fleet } from './fleet.ts';
import { importCommand } from './import.ts';
import { key } from './key.ts';
import { restore } from './restore.ts';
import { team } from './team.ts';
import { user } from './user.ts';

const commands: Record<string, Command> = {
  backup,
  restore,
  check,
  user,
  key,
  team,
  fleet,
  import: importCommand,
  export: exportCommand,
};

/** Whether a word is the name of one of these commands. */
export function isCommand(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** Results go to standard output, remarks and errors to standard error. */
const processTerminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  remark: (line) => void process.stderr.write(`${line}\n`),
};

/**
 * The same terminal without control characters but line breaks and tabs: the names and addresses that commands show come
 * from files and accounts, and a terminal would obey them.
 */
function withoutControls({ print, remark }: Terminal): Terminal {
  const plain = (line: string) => line.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  return { print: (line) => print(plain(line)), remark: (line) => remark(plain(line)) };
}

/** Runs a command and returns its exit code. */
export async function runCommand(
  name: string,
  args: string[],
  createApp: CreateCommandApp,
  given = processTerminal,
): Promise<number> {
  const terminal = withoutControls(given);
  const command = commands[name] as Command;
  if (args.includes('--help') || args.includes('-h')) {
    terminal.print(command.help.trimEnd());
    return commandCodes.done;
  }
  try {
    return await command.run(args, terminal, createApp);
  } catch (error) {
    return failedBy(error, terminal);
  }
}

/** Says why a command failed, in one sentence unless the fault is ours, and returns its exit code. */
function failedBy(error: unknown, terminal: Terminal): number {
  if (isDamage(error)) {
    terminal.remark(
      `The database is damaged (${error.message}). Restore a backup; the damaged file is left as it is.`,
    );
    return commandCodes.damaged;
  }
  // Whoever read the result has seen enough, and wants to be told nothing.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return commandCodes.failed;
  terminal.remark((error as Error).message);
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof DatabaseRefused) {
    if (error.code === 'data_in_use' || error.code === 'data_unwritable') return commandCodes[error.code];
    return commandCodes.damaged;
  }
  if (error instanceof BackupRefused) {
    return error.code === 'database_damaged' ? commandCodes.damaged : commandCodes.failed;
  }
  if (error instanceof Refusal) return commandCodes.failed;
  terminal.remark(String((error as Error).stack));
  return commandCodes.failed;
}
