import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type Settings, type ShownSettings, settings as schema } from '../../contract/settings.ts';
import type { Transactions } from '../database/transactions.ts';
import { rejected } from '../errors.ts';
import { defaultSettings } from './defaults.ts';
import { isGroup, mergeSettings, namesOf, type PartialSettings, valueAt, without } from './merge.ts';
import type { SettingsQueries } from './queries.ts';

export interface SettingsService {
  /** The settings that are in force. */
  current(): Settings;
  show(): ShownSettings;
  /**
   * Checks the whole and stores all of it or nothing, with what `note` writes of the names that changed. Throws 400
   * with the setting at fault.
   */
  change(change: PartialSettings, note?: (names: string[]) => void): void;
  /**
   * Reads what is stored anew, after somebody else has written it, and tells the listeners what is another than before.
   */
  reload(): void;
  /**
   * Calls back after every change, with the names that changed. What a listener throws is logged: the change is made.
   */
  onChange(listener: (names: readonly string[]) => void): void;
  /** Adds a rule that every change has to keep; it throws 400 with the setting at fault. */
  addRule(rule: SettingsRule): void;
}

/** A rule that looks at more than one setting, or beyond them. */
export type SettingsRule = (next: Settings, current: Settings) => void;

interface Options {
  queries: SettingsQueries;
  /** What the command line or the environment said; it wins over what is stored (decision 0010). */
  fixed: PartialSettings;
  transactions: Transactions;
  log: Pick<Logger, 'error'>;
}

/** The settings of the instance: defaults, then what is stored, then what the start decided. */
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
        log.error({ err, settings: names }, 'a changed setting was stored, but not put to use everywhere');
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
      // What is fixed came back from a form unchanged, and is not what was chosen here.
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

/** What is stored, over the defaults; a value that this program does not take any more is left out. */
export function readStoredSettings(queries: SettingsQueries): Settings {
  let settings = defaultSettings;
  for (const { name, value } of queries.all()) {
    const known = schema.shape[name as keyof Settings];
    if (!known) continue;
    // What an older version stored of a group has not all of its settings.
    const group = defaultSettings[name as keyof Settings];
    const whole: unknown = JSON.parse(value);
    const parsed = known.safeParse(isGroup(group) && isGroup(whole) ? { ...group, ...whole } : whole);
    if (parsed.success) settings = mergeSettings(settings, { [name]: parsed.data });
  }
  return settings;
}
