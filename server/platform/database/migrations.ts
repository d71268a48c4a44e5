import { readMigrations } from './migrate.ts';
import type { Migration } from './migration.ts';

/**
 * Every migration of this program; the files are part of the bundle. 0010 and 0014 are missing: both were dropped
 * before they were released. A number is never used again, because a database remembers only the newest one that it
 * has.
 */
export const migrations: Migration[] = readMigrations(
  import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true }),
);
