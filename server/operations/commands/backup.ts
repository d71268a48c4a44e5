import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { findLostSecrets } from '../../identity/keys/check-secrets.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { createBackup } from '../backup/create.ts';
import { unpackAndCheck } from '../backup/stage.ts';
import { backupStore, factsOf } from '../backup/store.ts';
import { type Command, CommandFailed, commandCodes, readOptions, type Terminal } from './command.ts';
import { configFor, openForReading, readSecret, vaultKeyOf } from './data-folder.ts';
import { percentages, withScratch } from './scratch.ts';
import { storedState } from './stored-settings.ts';
import { makeTargetFolder } from './target-folder.ts';

/** `backup`: makes a backup and verifies it, also while the server runs. */
export const backup: Command = {
  help: `waypost backup [--data DIR] [--to FILE] [--passphrase-file FILE]

Creates a backup of the whole instance in one file, restores it into a temporary folder, and compares counts and hashes.
The server may keep running. Prints the path of the file. Exits with 1 when the backup was created but lacks data the
instance has already lost: file contents, or the key that decrypts secrets.

  --data DIR              data folder
  --to FILE               target file (default: in the backup folder)
  --passphrase-file FILE  encrypts the secrets in the backup with the first line of this file (- reads standard input);
                          defaults to the passphrase of the settings page; without either, secrets are left out
`,
  async run(args, terminal) {
    const { values } = readOptions(
      args,
      { data: { type: 'string' }, to: { type: 'string' }, 'passphrase-file': { type: 'string' } },
      { least: 0, most: 0 },
    );
    const config = configFor(values.data);
    const known = readKnown(config);
    const passphrase = readSecret(values['passphrase-file']) ?? known.passphrase;
    const now = Date.now();
    const store = backupStore(known.folder ?? join(config.data, 'backups'));
    const target = values.to === undefined ? store.place(now, 'manual').path : resolve(values.to);
    if (existsSync(target)) throw new CommandFailed(commandCodes.failed, `${target} is there already.`);
    makeTargetFolder(dirname(target));
    const vaultKey = vaultKeyOf(config);
    const missing = await withScratch(config.data, async (scratch) => {
      const progress = percentages(terminal);
      const manifest = await createBackup(
        {
          folder: config.data,
          work: join(scratch, 'state'),
          target,
          kind: 'manual',
          passphrase,
          vaultKey,
          app: version,
          now,
        },
        progress,
      );
      if (values.to === undefined) store.note(target, factsOf(manifest));
      await unpackAndCheck(
        { file: target, target: join(scratch, 'check'), migrations },
        'checking',
        progress,
      );
      if (values.to === undefined) store.noteCheck(target, Date.now(), null);
      return manifest.missing;
    });
    if (passphrase === undefined) {
      terminal.remark('Without a passphrase, the backup has no secrets (two-factor secrets, certificates).');
    }
    const isWhole = warnOfLosses(known.lostSecrets, missing, terminal);
    terminal.remark(
      isWhole
        ? 'It restores: counts and hashes match the instance.'
        : 'It restores, without what the instance itself has lost.',
    );
    terminal.print(target);
    return isWhole ? commandCodes.done : commandCodes.failed;
  },
};

/** Lists what the instance had lost before the backup was made; true if nothing. */
function warnOfLosses(
  lostSecrets: string | undefined,
  missing: readonly string[],
  terminal: Terminal,
): boolean {
  if (lostSecrets !== undefined)
    terminal.remark(`${lostSecrets} Restored from this backup, it does not open.`);
  if (missing.length > 0) {
    terminal.remark(
      `Contents of files that are missing on the disk, and so in this backup: ${missing.length}`,
    );
    for (const name of missing) terminal.remark(name);
  }
  return lostSecrets === undefined && missing.length === 0;
}

/** What the instance itself says about its backups. */
function readKnown(config: ReturnType<typeof configFor>): {
  folder: string | null;
  passphrase: string | undefined;
  lostSecrets: string | undefined;
} {
  const database = openForReading(config.data);
  try {
    const { folder } = storedState.settings(database, config.settings).backup;
    const vaultKey = vaultKeyOf(config);
    const passphrase = storedState.passphrase(database, vaultKey);
    return { folder, passphrase, lostSecrets: findLostSecrets(database, vaultKey)?.sentence };
  } finally {
    database.close();
  }
}
