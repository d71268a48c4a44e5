import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../../server/platform/database/migrations.ts';
import { openDatabases } from '../../server/platform/database/open.ts';

let template: Buffer | undefined;

/**
 * Creates an empty database with the current schema in a data folder, which is empty or missing. Running the migrations
 * for each server would take longer than most tests.
 */
export function writeMigratedDatabase(folder: string): void {
  template ??= migratedDatabase();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'waypost.sqlite'), template, { mode: 0o600 });
}

function migratedDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-template-'));
  try {
    const databases = openDatabases({ folder, migrations, newId: () => 'template', now: () => 0 });
    databases.close();
    return readFileSync(databases.file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
