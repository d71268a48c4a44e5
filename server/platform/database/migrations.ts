import { readMigrations } from './migrate.ts';
import type { Migration } from './migration.ts';

/**
 * All migrations of this program; the files are part of the bundle. 0010 and 0014 are missing: both were dropped
 * before release. Numbers are never reused, because a database stores only its newest one.
 */
export const migrations: Migration[] = readMigrations(
  import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true }),
);
