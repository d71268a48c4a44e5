import type { Settings } from '../../contract/settings.ts';

/** Some settings, with some of the keys of nested objects. */
export type PartialSettings = {
  [Name in keyof Settings]?:
    | (Settings[Name] extends unknown[] | null
        ? Settings[Name]
        : Settings[Name] extends object
          ? { [Key in keyof Settings[Name]]?: Settings[Name][Key] | undefined }
          : Settings[Name])
    | undefined;
};

/** Merges a change into settings, key by key for nested objects. */
export function mergeSettings(base: Settings, change: PartialSettings): Settings {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || !(name in base)) continue;
    merged[name] = isGroup(value) ? { ...(merged[name] as object), ...defined(value) } : value;
  }
  // Names and types are those of the base; the result is validated before it is stored.
  return merged as unknown as Settings;
}

/** The names that a change sets: `ratelimit`, `ssl.mode`. */
export function namesOf(change: PartialSettings): string[] {
  return Object.entries(change).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return isGroup(value) ? Object.keys(defined(value)).map((key) => `${name}.${key}`) : [name];
  });
}

/** A change without some names. */
export function without(change: PartialSettings, names: readonly string[]): PartialSettings {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(change)) {
    if (names.includes(name)) continue;
    left[name] = isGroup(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(`${name}.${key}`)))
      : value;
  }
  // The entries of the change, except some.
  return left as PartialSettings;
}

/** The value behind a name such as `ssl.mode`. */
export function valueAt(settings: Settings | PartialSettings, name: string): unknown {
  let value: unknown = settings;
  for (const key of name.split('.')) value = (value as Record<string, unknown>)[key];
  return value;
}

/** Whether a setting is a nested object. */
export function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function defined(group: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));
}
