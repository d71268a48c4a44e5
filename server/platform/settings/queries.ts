import type { Connection } from '../database/connect.ts';

/** SQL of the instance's settings: one row per name, the value as JSON. */
export function settingsQueries(database: Connection) {
  const all = database.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings');
  const put = database.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    all: (): { name: string; value: string }[] => all.all(),
    put: (name: string, value: string) => void put.run(name, value),
  };
}

export type SettingsQueries = ReturnType<typeof settingsQueries>;
