import { findAliasFaults, findIdleAliases } from '../../content/links/alias-faults.ts';
import { findCountFaults } from '../../content/links/count-faults.ts';
import { type Settings, settings as schema } from '../../contract/settings.ts';
import { purposes } from '../../identity/keys/purposes.ts';
import { findStorageFaults } from '../../identity/plans/storage-queries.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { mergeSettings, type PartialSettings } from '../../platform/settings/merge.ts';
import { settingsQueries } from '../../platform/settings/queries.ts';
import { readStoredSettings } from '../../platform/settings/service.ts';
import { vault } from '../../platform/vault.ts';
import { passphraseQueries, storedContents } from '../backup/queries.ts';

/**
 * What a database has stored, for commands that look at it beside a running server: wired here as app.ts wires it
 * there.
 */
export const storedState = {
  /** The settings in force, with those that this start decides. */
  settings: (database: Connection, fixed: PartialSettings): Settings =>
    mergeSettings(readStoredSettings(settingsQueries(database)), fixed),

  /** The names of stored settings whose value is not understood; the default counts in their place. */
  unreadableSettings: (database: Connection): string[] =>
    settingsQueries(database)
      .all()
      .filter(({ name, value }) => {
        const known = schema.shape[name as keyof Settings];
        return known !== undefined && !known.safeParse(JSON.parse(value)).success;
      })
      .map(({ name }) => name),

  /** The passphrase of backups; undefined while there is none, or without the key that opens it. */
  passphrase(database: Connection, vaultKey: Buffer | undefined): string | undefined {
    const sealed = passphraseQueries(database).find();
    return sealed && vaultKey ? vault(vaultKey).open(sealed, purposes.backupPassphrase()) : undefined;
  },

  contents: storedContents,
  /** Whether a host is a branded domain, of an account or of the platform; one that is only claimed is not. */
  isDomain: (database: Connection, host: string): boolean =>
    domainQueries(database, Date.now).leadsHere(host),

  aliasFaults: findAliasFaults,
  idleAliases: findIdleAliases,
  storageFaults: findStorageFaults,
  countFaults: findCountFaults,
};
