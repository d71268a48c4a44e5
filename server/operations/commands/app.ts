import { randomUUID } from 'node:crypto';
import type { Actor } from '../../platform/audit/actor.ts';
import type { Config } from '../../platform/config.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { openDatabases } from '../../platform/database/open.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { type CommandApp, CommandFailed, type CreateCommandApp, commandCodes } from './command.ts';
import { findUserId } from './queries.ts';

/** Who acts in the audit log when a command does. */
export const commandLine: Actor = {
  userId: null,
  name: 'command line',
  keyId: null,
  keyName: '',
  address: '',
};

export interface OpenedApp {
  app: CommandApp;
  /** The id of an account by name, e-mail address or id. Throws CommandFailed. */
  userId(text: string): number;
}

/**
 * Opens a data folder as the server does and runs work with its services. Throws DatabaseRefused while a server uses
 * it: a change behind its back would not be noticed by what it remembers.
 */
export async function withApp<Result>(
  createApp: CreateCommandApp,
  config: Config,
  work: (opened: OpenedApp) => Promise<Result>,
): Promise<Result> {
  const databases = openDatabases({ folder: config.data, migrations, newId: randomUUID, now: Date.now });
  const app = createApp(config, databases);
  try {
    return await work({ app, userId: (text) => getUserId(databases.main, text) });
  } finally {
    await app.close();
  }
}

export function getUserId(database: Parameters<typeof findUserId>[0], text: string): number {
  const id = findUserId(database, text, caseFold(text));
  if (id === undefined) throw new CommandFailed(commandCodes.failed, `There is no account "${text}".`);
  return id;
}
