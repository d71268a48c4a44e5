import { z } from 'zod';
import type { Connection } from '../../platform/database/connect.ts';
import { storedValue } from '../../platform/text/stored-json.ts';
import type { Vault } from '../../platform/vault.ts';
import type { EngineAddress } from './engine.ts';

const stored = z.object({
  enabled: z.boolean(),
  fleet: z.string(),
  url: z.string().nullable(),
  user: z.string().nullable(),
  edgeuser: z.string().nullable(),
  sealed: z.string(),
});

const secrets = z.object({
  /** The fleet's key, in base64. */
  key: z.string(),
  password: z.string().nullable(),
  token: z.string().nullable(),
  credentials: z.string().nullable(),
  edgepassword: z.string().nullable(),
  /** The seed that signs edges' users, each with its own permissions. */
  signingkey: z.string().nullable().default(null),
  /** The operator key, with which edges can be revoked in NATS. */
  operatorkey: z.string().nullable().default(null),
});

/** Everything that is stored of a fleet. */
export type FleetSettings = Omit<z.output<typeof stored>, 'sealed'> & z.output<typeof secrets>;

/** A change of what is stored; null removes a value. */
export type FleetChange = Partial<Omit<FleetSettings, 'fleet' | 'key'>>;

/** The message about secrets that cannot be decrypted. The fleet's key is among them, so the fleet cannot continue. */
export const lockedFleet =
  "The fleet's secrets cannot be decrypted: the instance's key has changed since they were entered. Put that key back, or take over the fleet and enter everything again: that starts a new fleet, which edges have to join again.";

interface Options {
  database: Connection;
  vault: Vault;
  purpose: string;
  randomBytes: (size: number) => Buffer;
}

/** The settings of the fleet: one row, its secrets sealed in the vault. */
export function fleetSettings({ database, vault, purpose, randomBytes }: Options) {
  const find = database.prepare<[], string>("SELECT value FROM settings WHERE name = 'fleetEngine'").pluck();
  const put = database.prepare<[string]>(
    `INSERT INTO settings (name, value) VALUES ('fleetEngine', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );

  function newFleet(): FleetSettings {
    return {
      ...{ enabled: false, url: null, user: null, edgeuser: null },
      ...{ password: null, token: null, credentials: null, edgepassword: null },
      ...{ signingkey: null, operatorkey: null },
      fleet: randomBytes(8).toString('hex'),
      key: randomBytes(32).toString('base64'),
    };
  }

  return {
    /** Undefined while none was ever set up, or when its secrets cannot be opened or the row is damaged. */
    find(): FleetSettings | undefined {
      const text = find.get();
      if (text === undefined) return undefined;
      const row = stored.safeParse(storedValue(text));
      if (!row.success) return undefined;
      const { sealed, ...plain } = row.data;
      const opened = vault.open(sealed, purpose);
      return opened === undefined ? undefined : { ...plain, ...secrets.parse(JSON.parse(opened)) };
    },
    /** Whether stored secrets cannot be decrypted: the instance's key has changed, or the row is damaged. */
    isLocked(): boolean {
      const text = find.get();
      if (text === undefined) return false;
      const row = stored.safeParse(storedValue(text));
      return !row.success || vault.open(row.data.sealed, purpose) === undefined;
    },
    /** The result of a change; nothing is written. */
    changed(current: FleetSettings | undefined, change: FleetChange): FleetSettings {
      return { ...(current ?? newFleet()), ...change };
    },
    /** Runs inside a transaction. */
    store(settings: FleetSettings): void {
      const { enabled, fleet, url, user, edgeuser } = settings;
      const sealed = vault.seal(JSON.stringify(secrets.parse(settings)), purpose);
      put.run(JSON.stringify({ enabled, fleet, url, user, edgeuser, sealed }));
    },
  };
}

export type FleetStore = ReturnType<typeof fleetSettings>;

/** Where the engine is, as the origin signs in there. */
export function addressOf(settings: FleetSettings): EngineAddress {
  const { url, user, password, token, credentials } = settings;
  return {
    url: url ?? '',
    user: user ?? undefined,
    password: password ?? undefined,
    token: token ?? undefined,
    credentials: credentials ?? undefined,
  };
}
