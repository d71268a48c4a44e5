import { readMigrations } from './migrate.ts';
import type { Migration } from './migration.ts';

/** Every migration of this program; the files are part of the bundle. */
export const migrations: Migration[] = readMigrations(
  import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true }),
);
