import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../../platform/config.ts';
import type { Databases } from '../../platform/database/open.ts';
import type { Services } from './services.ts';

/** Exit codes of commands; those of the server itself are the same where they mean the same (decision 0053). */
export const commandCodes = {
  done: 0,
  failed: 1,
  wrong_options: 2,
  data_in_use: 3,
  data_unwritable: 77,
  damaged: 78,
} as const;
export type CommandCode = (typeof commandCodes)[keyof typeof commandCodes];

/** Ends a command with a sentence for the person at the terminal. */
export class CommandFailed extends Error {
  readonly exitCode: CommandCode;

  constructor(exitCode: CommandCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Terminal {
  /** Writes a line of the result. */
  print(line: string): void;
  /** Writes a remark that is no part of the result. */
  remark(line: string): void;
}

/** What commands do things with: the server's services, without its listeners. */
export interface CommandApp {
  services: Services;
  close(): Promise<void>;
}

/** Puts the server's services together over an opened data folder; the entry, which knows the app, hands it in. */
export type CreateCommandApp = (config: Config, databases: Databases) => CommandApp;

export interface Command {
  /** The text of `--help`. */
  help: string;
  run(args: string[], terminal: Terminal, createApp: CreateCommandApp): Promise<CommandCode>;
}

/**
 * Reads a command's options. Throws CommandFailed with code 2 on one that is unknown, or when there are not as many
 * positional arguments as `positionals` allows.
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  positionals: { least: number; most: number },
) {
  let read: ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>>;
  try {
    read = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw wrongOptions((error as Error).message);
  }
  const count = read.positionals.length;
  if (count < positionals.least || count > positionals.most)
    throw wrongOptions('This command has the wrong arguments.');
  return { values: read.values, positionals: read.positionals as string[] };
}

export function wrongOptions(message: string): CommandFailed {
  return new CommandFailed(commandCodes.wrong_options, `${message} Try --help.`);
}

/** Columns of equal width: what a person reads and what a program can split. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
