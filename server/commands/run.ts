import { BackupRefused } from '../backup/refused.ts';
import { DatabaseRefused } from '../database/refused.ts';
import { Refusal } from '../errors.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { type Command, CommandFailed, commandCodes, type Terminal } from './command.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { key } from './key.ts';
import { restore } from './restore.ts';
import { user } from './user.ts';

const commands: Record<string, Command> = {
  backup,
  restore,
  check,
  user,
  key,
  import: importCommand,
  export: exportCommand,
};

/** Whether a word is the name of one of these commands. */
export function isCommand(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** Runs a command and returns its exit code. Results go to standard output, remarks and errors to standard error. */
export async function runCommand(name: string, args: string[]): Promise<number> {
  const command = commands[name] as Command;
  const terminal: Terminal = {
    print: (line) => void process.stdout.write(`${line}\n`),
    remark: (line) => void process.stderr.write(`${line}\n`),
  };
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(command.help);
    return commandCodes.done;
  }
  try {
    return await command.run(args, terminal);
  } catch (error) {
    terminal.remark((error as Error).message);
    if (error instanceof CommandFailed) return error.exitCode;
    if (error instanceof DatabaseRefused) {
      return error.code === 'data_in_use' ? commandCodes.data_in_use : commandCodes.damaged;
    }
    if (error instanceof BackupRefused || error instanceof Refusal) return commandCodes.failed;
    process.stderr.write(`${(error as Error).stack}\n`);
    return commandCodes.failed;
  }
}
