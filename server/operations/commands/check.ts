import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findLostSecrets } from '../../identity/keys/check-secrets.ts';
import type { Config } from '../../platform/config.ts';
import { type Connection, checkPragmas, connect } from '../../platform/database/connect.ts';
import { lockFolder } from '../../platform/database/lock.ts';
import { migrations } from '../../platform/database/migrations.ts';
import { DatabaseRefused } from '../../platform/database/refused.ts';
import { countRows, findFault } from '../../platform/database/snapshot.ts';
import { readHead } from '../backup/archive.ts';
import { describe, listContents, sizeOf } from '../backup/contents.ts';
import { backupStore, type KeptBackup } from '../backup/store.ts';
import { type Command, commandCodes, readOptions, type Terminal } from './command.ts';
import { configFor, databaseOf, openForReading, vaultKeyOf } from './data-folder.ts';
import { storedState } from './stored-settings.ts';

/** `check`: checks everything that is stored, also while the server runs. */
export const check: Command = {
  help: `waypost check [--data DIR]

Checks every page, index and reference of the database, its schema, the settings, the aliases of links, files and bio
pages, the storage totals and list lengths of accounts, whether a domain is the instance's own address, whether the vault key decrypts all
secrets, the file contents, and the backups. Contents are checked for presence and size; those that are also in a backup
are read and compared with it. Exits with 0 when everything is fine, with 1 when something is missing or unreadable, and
with 78 when the database is damaged. The server may keep running; the SQLite settings are only checked while it is
stopped.

  --data DIR  data folder
`,
  async run(args, terminal) {
    const { values } = readOptions(args, { data: { type: 'string' } }, { least: 0, most: 0 });
    const config = configFor(values.data);
    const database = openForReading(config.data);
    let problems = 0;
    const problem = (line: string) => {
      problems += 1;
      terminal.print(line);
    };
    try {
      const fault = findFault(database, migrations);
      if (fault) {
        terminal.print(`database   damaged: ${fault.detail}`);
        return commandCodes.damaged;
      }
      const counts = countRows(database);
      terminal.print(
        `database   ok: ${counts.users ?? 0} accounts, ${counts.links ?? 0} links, ${counts.clicks ?? 0} clicks`,
      );
      checkSettings(database, terminal, problem);
      checkAliases(database, terminal, problem);
      checkDomains(database, config, terminal, problem);
      checkStorage(database, terminal, problem);
      checkCounts(database, terminal, problem);
      checkSecrets(database, config, terminal, problem);
      const { folder } = storedState.settings(database, config.settings).backup;
      const kept = await backupStore(folder ?? join(config.data, 'backups')).list();
      await checkContents(config.data, database, kept, terminal, problem);
      checkBackups(kept, terminal, problem);
    } finally {
      database.close();
    }
    checkSqlite(config.data, terminal, problem);
    return problems === 0 ? commandCodes.done : commandCodes.failed;
  },
};

function checkSettings(database: Connection, terminal: Terminal, problem: (line: string) => void): void {
  const bad = storedState.unreadableSettings(database);
  if (bad.length === 0) terminal.print('settings   ok');
  // An unreadable one counts as not set.
  for (const name of bad) problem(`settings   ${name} has an invalid value; the default is used`);
}

function checkAliases(database: Connection, terminal: Terminal, problem: (line: string) => void): void {
  const faults = storedState.aliasFaults(database);
  const idle = storedState.idleAliases(database);
  const resources = { link: 'link', file: 'file', bio: 'bio page', qr: 'QR code' };
  const where = ({ host, alias }: { host: string | null; alias: string }) => `${host ?? ''}/${alias}`;
  for (const { kind, id, holder, ...address } of faults) {
    problem(
      holder === null
        ? `aliases    ${resources[kind]} ${id} is not served at ${where(address)}; save it again to reclaim the alias`
        : `aliases    ${resources[kind]} ${id} has the alias ${where(address)}, which serves ${resources[holder.kind]} ${holder.id}; change one of the two aliases`,
    );
  }
  for (const { kind, id, ...address } of idle)
    problem(`aliases    ${where(address)} is reserved for ${resources[kind]} ${id}, which no longer exists`);
  if (faults.length + idle.length === 0) terminal.print('aliases    ok');
}

/**
 * The instance's host must not be anyone's domain: the instance's own links answer there, and those of the domain do
 * not.
 */
function checkDomains(
  database: Connection,
  config: Config,
  terminal: Terminal,
  problem: (line: string) => void,
): void {
  const { baseUrl } = storedState.settings(database, config.settings);
  const host = baseUrl === null ? undefined : new URL(baseUrl).hostname;
  if (host !== undefined && storedState.isDomain(database, host)) {
    problem(
      `domains    ${host} is both the instance's address and a domain, so the domain's links are not served; delete the domain to move them to the instance`,
    );
  } else terminal.print('domains    ok');
}

/**
 * The bytes of an account are counted as they come and go; a wrong figure would refuse what fits, or take what does
 * not.
 */
function checkStorage(database: Connection, terminal: Terminal, problem: (line: string) => void): void {
  const faults = storedState.storageFaults(database);
  for (const { userId, counted, stored: bytes } of faults)
    problem(`storage    account ${userId} is counted as ${counted} bytes but stores ${bytes}`);
  if (faults.length === 0) terminal.print('storage    ok');
}

/**
 * The lengths of lists are counted as links come and go; a wrong one would show pages that are empty, or hide links.
 */
function checkCounts(database: Connection, terminal: Terminal, problem: (line: string) => void): void {
  const faults = storedState.countFaults(database);
  for (const { what, resource, counted, there } of faults)
    problem(`lists      ${what} is counted with ${counted} ${resource} and has ${there}`);
  if (faults.length === 0) terminal.print('lists      ok');
}

function checkSecrets(
  database: Connection,
  config: Config,
  terminal: Terminal,
  problem: (line: string) => void,
): void {
  const lost = findLostSecrets(database, vaultKeyOf(config));
  if (lost === undefined) terminal.print('secrets    ok');
  else problem(`secrets    ${lost.sentence}`);
}

async function checkContents(
  folder: string,
  database: Connection,
  kept: readonly KeptBackup[],
  terminal: Terminal,
  problem: (line: string) => void,
): Promise<void> {
  const rows = storedState.contents(database);
  const missing = rows.filter(({ storage, size }) => sizeOf(join(folder, 'files', storage)) !== size);
  const { compared, changed } = await compareContents(folder, rows, await backedUpHashes(kept, problem));
  const known = new Set(rows.map(({ storage }) => `files/${storage}`));
  const orphans = listContents(folder).filter((name) => name.split('/').length === 2 && !known.has(name));
  if (missing.length === 0 && changed.length === 0)
    terminal.print(`contents   ok: ${rows.length} files, ${compared} of them compared with backups`);
  for (const { storage } of missing) problem(`contents   files/${storage} is missing or has another size`);
  for (const name of changed) problem(`contents   ${name} differs from its backup`);
  if (orphans.length > 0) terminal.print(`contents   ${orphans.length} unused; removed at the next start`);
}

/** The SHA-256 of each content that is in a backup; that of the oldest one, since a content never changes. */
async function backedUpHashes(
  kept: readonly KeptBackup[],
  problem: (line: string) => void,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const { path, filename, problem: known } of kept) {
    if (known !== null) continue;
    try {
      const { manifest } = await readHead(path);
      for (const { name, sha256 } of manifest.entries) hashes.set(name, sha256);
    } catch (error) {
      problem(`backups    ${filename}: ${(error as Error).message}`);
    }
  }
  return hashes;
}

/** Reads the contents with a known hash; a different size has been reported already. */
async function compareContents(
  folder: string,
  rows: readonly { storage: string; size: number }[],
  hashes: ReadonlyMap<string, string>,
): Promise<{ compared: number; changed: string[] }> {
  const changed: string[] = [];
  let compared = 0;
  for (const { storage, size } of rows) {
    const name = `files/${storage}`;
    const path = join(folder, name);
    const known = hashes.get(name);
    if (known === undefined || sizeOf(path) !== size) continue;
    const { sha256 } = await describe(name, path, () => {});
    compared += 1;
    if (sha256 !== known) changed.push(name);
  }
  return { compared, changed };
}

function checkBackups(
  kept: readonly KeptBackup[],
  terminal: Terminal,
  problem: (line: string) => void,
): void {
  for (const { filename, problem: why } of kept) if (why !== null) problem(`backups    ${filename}: ${why}`);
  const newest = kept.find((each) => each.problem === null && each.facts?.checkedAt != null);
  const when = newest?.facts?.checkedAt ?? null;
  if (newest && when !== null) {
    terminal.print(
      `backups    ${kept.length}; restorable, checked ${new Date(when).toISOString().slice(0, 16)}Z: ${newest.filename}`,
    );
  } else {
    terminal.print('backups    no checked backup');
  }
}

/** SQLite's settings, read back on a writing connection; only while no server has one. */
function checkSqlite(folder: string, terminal: Terminal, problem: (line: string) => void): void {
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    terminal.remark('The server is running, so the SQLite settings were not checked.');
    return;
  }
  try {
    const connection = connect(databaseOf(folder), 'FULL');
    try {
      checkPragmas(connection, 2);
      terminal.print('sqlite     ok');
    } catch (error) {
      problem(`sqlite     ${(error as Error).message}`);
    } finally {
      connection.close();
    }
  } finally {
    lock.close();
  }
  const left = readdirSync(folder).filter((name) => name.startsWith('command-work-'));
  for (const name of left)
    terminal.remark(`${join(folder, name)} was left by a command that was interrupted; it can be deleted.`);
}
