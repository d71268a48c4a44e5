import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '../../../package.json';
import type { Config } from '../../platform/config.ts';
import { lockFolder } from '../../platform/database/lock.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { makeFolder } from '../../platform/database/places.ts';
import {
  dropReplacement,
  finishReplacement,
  holdsContent,
  orderReplacement,
  prepareReplacement,
  replacedContent,
  replacementFolder,
} from '../../platform/database/replacement.ts';
import { createBackup } from '../backup/create.ts';
import { BackupRefused } from '../backup/refused.ts';
import { keepRevocations, revocationsText } from '../backup/revocations.ts';
import { keysFit, openHead, stageBackup, stageSnapshot } from '../backup/stage.ts';
import { backupStore, factsOf } from '../backup/store.ts';
import { type Command, CommandFailed, commandCodes, readOptions, type Terminal } from './command.ts';
import { configFor, databaseOf, readSecret, vaultKeyOf } from './data-folder.ts';
import { percentages, withScratch } from './scratch.ts';

/** `restore`: replaces what is in a data folder by a backup, while no server uses it. */
export const restore: Command = {
  help: `waypost restore FILE [--data DIR] [--passphrase-file FILE] [--without-keys]

Replaces everything in a data folder, or fills an empty one. The server must be stopped. The backup is checked completely
before anything is changed, and the current data is backed up first; if it is too damaged for that, it is moved aside.
FILE is a backup, or a copy of the database from the snapshots folder, created before an update.

  --data DIR              data folder
  --passphrase-file FILE  decrypts the secrets in the backup with the first line of this file (- reads standard input)
  --without-keys          restore without secrets: turns off two-factor authentication and recreates certificates
`,
  async run(args, terminal) {
    const { values, positionals } = readOptions(
      args,
      {
        data: { type: 'string' },
        'passphrase-file': { type: 'string' },
        'without-keys': { type: 'boolean' },
      },
      { least: 1, most: 1 },
    );
    const file = resolve(positionals[0] ?? '');
    if (!existsSync(file) || !statSync(file).isFile()) {
      throw new CommandFailed(commandCodes.failed, `File ${file} not found.`);
    }
    const config = configFor(values.data);
    const made = makeFolder(config.data);
    const before = new Set(readdirSync(config.data));
    const lock = lockFolder(config.data);
    try {
      // One that was ordered and not carried out counts as done.
      finishReplacement(config.data);
      const passphrase = readSecret(values['passphrase-file']);
      await replace(file, config, passphrase, values['without-keys'] ?? false, terminal);
    } catch (error) {
      sweep(config.data, before, made);
      throw error;
    } finally {
      lock.close();
    }
    terminal.print(`Restored into ${config.data}.`);
    return commandCodes.done;
  },
};

/** Removes what a refused restore made; `made` is the topmost folder that was not there. Still under the lock. */
function sweep(data: string, before: ReadonlySet<string>, made: string | undefined): void {
  const own = [replacementFolder, 'instance.lock'].filter((name) => !before.has(name));
  try {
    for (const path of made === undefined ? own.map((name) => join(data, name)) : [made]) {
      rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Windows keeps a file that is open. What stays is empty, and why the restore was refused is worth more.
  }
}

async function replace(
  file: string,
  config: Config,
  passphrase: string | undefined,
  withoutKeys: boolean,
  terminal: Terminal,
): Promise<void> {
  const target = prepareReplacement(config.data);
  try {
    let changesKey = false;
    if (isDatabase(file)) stageSnapshot({ file, target, migrations, now: Date.now() });
    else changesKey = await stage(file, target, config, passphrase, withoutKeys, terminal);
    const revoked = revocationsText(keepRevocations({ target, folder: config.data, changesKey }));
    if (revoked !== undefined) terminal.remark(revoked);
    const saved = await saveFirst(config, terminal);
    // The backup of what is there was made without a passphrase, so the key to it is not in it.
    const keepReplaced = holdsContent(config.data) && (!saved || changesKey);
    orderReplacement(config.data, { keepReplaced });
  } catch (error) {
    dropReplacement(config.data);
    throw error;
  }
  finishReplacement(config.data);
  const aside = replacedContent(config.data);
  if (aside !== undefined) terminal.remark(`The previous data is in ${aside}.`);
}

async function stage(
  file: string,
  target: string,
  config: Config,
  passphrase: string | undefined,
  withoutKeys: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const keys = { vaultKey: vaultKeyOf(config), vaultKeyIsFixed: config.vaultKey !== undefined };
  const { head, secrets } = await openHead(file, passphrase);
  if (!keysFit(head, secrets, keys) && !withoutKeys) {
    throw new CommandFailed(
      commandCodes.failed,
      head.secrets === 'sealed'
        ? 'The secrets in this backup are encrypted. Pass a file with the passphrase by --passphrase-file, or use --without-keys.'
        : 'This backup has no secrets. Use --without-keys to turn off two-factor authentication and recreate certificates.',
    );
  }
  const restored = await stageBackup(
    { file, target, migrations, passphrase, ...keys, now: Date.now() },
    percentages(terminal),
  );
  if (restored.secondFactorsLost > 0) {
    terminal.remark(`Two-factor authentication was turned off for ${restored.secondFactorsLost} accounts.`);
  }
  return restored.changesKey;
}

/** Backs up what is there; false when there is nothing that can be. */
async function saveFirst(config: Config, terminal: Terminal): Promise<boolean> {
  if (!existsSync(databaseOf(config.data)) || !existsSync(join(config.data, 'instance.json'))) return false;
  const store = backupStore(config.settings.backup?.folder ?? join(config.data, 'backups'));
  const now = Date.now();
  const { path } = store.place(now, 'before-restore');
  try {
    await withScratch(config.data, async (scratch) => {
      const manifest = await createBackup(
        {
          folder: config.data,
          work: join(scratch, 'state'),
          target: path,
          kind: 'before-restore',
          passphrase: undefined,
          vaultKey: vaultKeyOf(config),
          app: version,
          now,
        },
        () => {},
      );
      store.note(path, factsOf(manifest));
    });
  } catch (error) {
    if (error instanceof BackupRefused && error.code === 'disk_full') throw error;
    terminal.remark(`The current data cannot be backed up (${(error as Error).message}).`);
    return false;
  }
  terminal.remark(`The previous data is in ${path}.`);
  return true;
}

function isDatabase(file: string): boolean {
  const head = Buffer.alloc(15);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === 'SQLite format 3';
}
