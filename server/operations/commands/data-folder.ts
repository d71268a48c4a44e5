import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigRefused, readConfig } from '../../platform/config.ts';
import { type Connection, openReader } from '../../platform/database/connect.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { findVaultKey } from '../../platform/vault.ts';
import { CommandFailed, commandCodes, wrongOptions } from './command.ts';

/** The configuration of a command: its data folder, options that `serve` has as well, and what the environment says. */
export function configFor(data: string | undefined, others: Record<string, string | undefined> = {}): Config {
  const given = Object.entries({ data, ...others }).filter(([, value]) => value !== undefined);
  try {
    return readConfig(given.map(([name, value]) => `--${name}=${value}`));
  } catch (error) {
    if (error instanceof ConfigRefused) throw wrongOptions(error.message);
    throw error;
  }
}

export function databaseOf(folder: string): string {
  return join(folder, 'waypost.sqlite');
}

/**
 * Opens the database for reading, also while the server uses it. Throws CommandFailed when it is not there or not ours.
 */
export function openForReading(folder: string): Connection {
  const file = databaseOf(folder);
  if (!existsSync(file)) {
    throw new CommandFailed(commandCodes.failed, `No instance in ${folder}. Pass its folder with --data.`);
  }
  let connection: Connection | undefined;
  try {
    connection = openReader(file);
    const version = Number(connection.pragma('user_version', { simple: true }));
    const newest = migrations.at(-1)?.version ?? 0;
    if (version === newest) return connection;
    throw new CommandFailed(
      commandCodes.damaged,
      version > newest
        ? `The database in ${folder} was written by a newer Waypost. Update this program.`
        : `The database in ${folder} is from an older Waypost. Start the server once to migrate it.`,
    );
  } catch (error) {
    connection?.close();
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      commandCodes.damaged,
      `The database in ${folder} is damaged: ${(error as Error).message}.`,
    );
  }
}

/** The vault's key of a data folder; undefined where there is none yet. */
export function vaultKeyOf({ data, vaultKey }: Pick<Config, 'data' | 'vaultKey'>): Buffer | undefined {
  return vaultKey ?? findVaultKey(data);
}

/** The first line of a file, `-` for standard input: a password on the command line is not a secret on its machine. */
export function readSecret(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new CommandFailed(commandCodes.failed, `The file ${file} cannot be read.`);
  }
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new CommandFailed(commandCodes.failed, `The file ${file} is empty.`);
  return line;
}
