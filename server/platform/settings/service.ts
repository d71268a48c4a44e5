import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type Settings, type ShownSettings, settings as schema } from '../../contract/settings.ts';
import type { Transactions } from '../database/transactions.ts';
import { rejected } from '../errors.ts';
import { storedValue } from '../text/stored-json.ts';
import { defaultSettings } from './defaults.ts';
import { isGroup, mergeSettings, namesOf, type PartialSettings, valueAt, without } from './merge.ts';
import type { SettingsQueries } from './queries.ts';

export interface SettingsService {
  /** The effective settings. */
  current(): Settings;
  show(): ShownSettings;
  /**
   * Validates all settings and stores the change completely or not at all, together with what `note` writes about the
   * changed names. Throws 400 with the invalid setting.
   */
  change(change: PartialSettings, note?: (names: string[]) => void): void;
  /** Reloads the stored settings after another process wrote them, and notifies listeners of changes. */
  reload(): void;
  /**
   * Calls back after every change, with the changed names. Errors of listeners are logged: the change has been made.
   */
  onChange(listener: (names: readonly string[]) => void): void;
  /** Adds a validation rule; it throws 400 with the invalid setting. */
  addRule(rule: SettingsRule): void;
}

/** A rule that involves several settings, or other data. */
export type SettingsRule = (next: Settings, current: Settings) => void;

interface Options {
  queries: SettingsQueries;
  /** Settings from the command line or environment; they override stored ones (decision 0010). */
  fixed: PartialSettings;
  transactions: Transactions;
  log: Pick<Logger, 'error'>;
}

/** The instance's settings: defaults, then stored values, then those given at startup. */
export function settingsService(options: Options): SettingsService {
  const { queries, fixed, transactions, log } = options;
  const fixedNames = namesOf(fixed).sort();
  const rules: SettingsRule[] = [];
  const listeners: ((names: readonly string[]) => void)[] = [];
  let stored = readStoredSettings(queries);
  let current = mergeSettings(stored, fixed);

  function use(next: Settings, names: readonly string[]): void {
    stored = next;
    current = mergeSettings(stored, fixed);
    for (const listener of listeners) {
      try {
        listener(names);
      } catch (err) {
        log.error(
          { err, settings: names },
          'a changed setting was stored, but could not be applied everywhere',
        );
      }
    }
  }

  return {
    current: () => current,
    show: () => ({ ...current, fixed: fixedNames }),

    change(change, note) {
      for (const name of namesOf(change)) {
        if (fixedNames.includes(name) && !isDeepStrictEqual(valueAt(change, name), valueAt(current, name))) {
          throw rejected('setting_fixed', name, `${name} is set at startup. Change it there and restart.`);
        }
      }
      // Values fixed at startup come back unchanged from forms, and were not chosen here.
      const next = mergeSettings(stored, without(change, fixedNames));
      const whole = mergeSettings(next, fixed);
      for (const rule of rules) rule(whole, current);
      checkCertificates(whole);
      const names = Object.keys(next).filter(
        (name) => !isDeepStrictEqual(valueAt(next, name), valueAt(stored, name)),
      );
      if (names.length === 0) return;
      transactions.atomically(() => {
        for (const name of names) queries.put(name, JSON.stringify(valueAt(next, name)));
        note?.(names);
      });
      use(next, names);
    },

    reload() {
      const next = readStoredSettings(queries);
      const names = Object.keys(next).filter(
        (name) => !isDeepStrictEqual(valueAt(next, name), valueAt(stored, name)),
      );
      if (names.length > 0) use(next, names);
    },

    onChange: (listener) => void listeners.push(listener),
    addRule: (rule) => void rules.push(rule),
  };
}

function checkCertificates({ ssl, publicAddresses }: Settings): void {
  if (ssl.mode === 'acme' && publicAddresses.length === 0) {
    throw rejected(
      'addresses_required',
      'publicAddresses',
      'Certificates require the public addresses of this server. Enter them first.',
    );
  }
}

/** The stored settings merged into the defaults; values that are damaged or no longer valid are ignored. */
export function readStoredSettings(queries: SettingsQueries): Settings {
  let settings = defaultSettings;
  for (const { name, value } of queries.all()) {
    if (!isKnown(name)) continue;
    const known = schema.shape[name];
    // Groups stored by an older version lack some settings.
    const group = defaultSettings[name];
    const whole = storedValue(value);
    if (whole === undefined) continue;
    const parsed = known.safeParse(isGroup(group) && isGroup(whole) ? { ...group, ...whole } : whole);
    if (parsed.success) settings = mergeSettings(settings, { [name]: parsed.data });
  }
  return settings;
}

/** The table has rows of other parts as well, and in a restored backup any name, such as `__proto__`. */
function isKnown(name: string): name is keyof Settings {
  return Object.hasOwn(schema.shape, name);
}
