import type { ShownSettings } from '../../contract/settings.ts';
import { publicSettings } from './public-tables.ts';

/** Settings given at the origin's startup that edges need, by name, as JSON. They override stored ones on edges. */
export type FixedSettings = Readonly<Record<string, string>>;

/** The settings given at this server's start that edges have; for groups, the given keys. */
export function fixedSettings({ fixed, ...current }: ShownSettings): FixedSettings {
  const decided: Record<string, string> = {};
  for (const name of publicSettings) {
    const value: unknown = current[name];
    const keys = fixed
      .filter((each) => each.startsWith(`${name}.`))
      .map((each) => each.slice(name.length + 1));
    if (fixed.includes(name)) decided[name] = JSON.stringify(value);
    else if (keys.length > 0) {
      const group = Object.entries(value ?? {}).filter(([key]) => keys.includes(key));
      decided[name] = JSON.stringify(Object.fromEntries(group));
    }
  }
  return decided;
}

/** SQL of a table's rows as edges have them; `schema` is the database that contains it. */
export function publicSource(name: string, fixed: FixedSettings, schema = 'main'): string {
  const names = Object.keys(fixed);
  if (name !== 'settings' || names.length === 0) return `${schema}.${name}`;
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const from = `${schema}.settings`;
  const decided = names.map(
    (each) => `SELECT ${quoted(each)}, json_patch(
      ifnull((SELECT value FROM ${from} WHERE name = ${quoted(each)}), '{}'), ${quoted(fixed[each] ?? '')})`,
  );
  return `(SELECT name, value FROM ${from} WHERE name NOT IN (${names.map(quoted).join(', ')})
    UNION ALL ${decided.join(' UNION ALL ')})`;
}
