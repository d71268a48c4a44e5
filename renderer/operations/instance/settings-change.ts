import type { z } from 'zod';
import { type Settings, settings, type settingsChange } from '../../../server/contract/settings.ts';

export type SettingsChange = Partial<z.input<typeof settingsChange>>;

/** The form state of the settings, as a copy. */
export function fieldsOf(shown: Settings): Settings {
  const names = Object.keys(settings.shape) as (keyof Settings)[];
  const copy = Object.fromEntries(names.map((name) => [name, shown[name]]));
  // `copy` has every key of the shape.
  return structuredClone(copy) as Settings;
}

/** The changed settings. For `ssl`, `privacy` and `backup` only the changed keys: fixed ones must not be sent. */
export function changeOf(now: Settings, before: Settings): SettingsChange {
  return changedKeys(now, before, true) as SettingsChange;
}

function changedKeys(now: object, before: object, isDeep: boolean): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now)) {
    const old: unknown = Reflect.get(before, name);
    if (JSON.stringify(value) === JSON.stringify(old)) continue;
    const isGroup = isDeep && typeof value === 'object' && value !== null && !Array.isArray(value);
    changed[name] =
      isGroup && typeof old === 'object' && old !== null ? changedKeys(value, old, false) : value;
  }
  return changed;
}
