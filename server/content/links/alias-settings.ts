import {
  type AliasSettings,
  aliasSettings,
  type DomainAliasSettings,
  domainAliasSettings,
} from '../../contract/aliases.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { notFound } from '../../platform/errors.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import { lookalikeFree, randomLength } from './aliases.ts';

type Change<Settings> = { [Name in keyof Settings]?: Settings[Name] | null | undefined };

const standard: AliasSettings = {
  style: 'random',
  length: randomLength,
  alphabet: lookalikeFree,
  prefix: '',
};
const unset: DomainAliasSettings = {
  style: null,
  length: null,
  alphabet: null,
  prefix: null,
  slashes: false,
};

/** Alias settings, by account and by domain. */
export function aliasSettingsStore(database: Connection) {
  const ofUser = database.prepare<[number], string | null>('SELECT aliases FROM users WHERE id = ?').pluck();
  const setUser = database.prepare<[string, number]>('UPDATE users SET aliases = ? WHERE id = ?');
  const ofDomain = database
    .prepare<[number], string | null>('SELECT aliases FROM domains WHERE id = ?')
    .pluck();
  const isManaged = database.prepare<[{ id: number; user: number; admin: 0 | 1 }], unknown>(
    `SELECT 1 FROM domains WHERE id = @id AND removed_at IS NULL
       AND (user_id = @user OR (user_id IS NULL AND @admin))`,
  );
  const setDomain = database.prepare<[string, number]>('UPDATE domains SET aliases = ? WHERE id = ?');

  function readDomain(id: number): DomainAliasSettings {
    return domainAliasSettings.parse({ ...unset, ...storedObject(ofDomain.get(id) ?? '{}') });
  }

  function readAccount(userId: number): AliasSettings {
    return aliasSettings.parse({ ...standard, ...storedObject(ofUser.get(userId) ?? '{}') });
  }

  /** Throws 404 for a domain that is not the account's to set. */
  function checkManaged(id: number, { id: user, admin }: { id: number; admin: 0 | 1 }): void {
    if (!isManaged.get({ id, user, admin })) throw notFound('Domain');
  }

  return {
    ofAccount: readAccount,
    updateAccount(userId: number, change: Change<AliasSettings>): AliasSettings {
      const kept = { ...storedObject(ofUser.get(userId) ?? '{}'), ...change };
      setUser.run(JSON.stringify(withoutNulls(kept)), userId);
      return readAccount(userId);
    },
    /** A domain's own settings. Throws 404 for domains of other accounts. */
    ofDomain(id: number, user: { id: number; admin: 0 | 1 }): DomainAliasSettings {
      checkManaged(id, user);
      return readDomain(id);
    },
    updateDomain(
      id: number,
      user: { id: number; admin: 0 | 1 },
      change: Change<DomainAliasSettings>,
    ): DomainAliasSettings {
      checkManaged(id, user);
      setDomain.run(JSON.stringify(withoutNulls({ ...readDomain(id), ...change })), id);
      return readDomain(id);
    },
    /** The effective settings for a new link: the domain's, else the account's, else the default. */
    inForce(userId: number, domainId: number | null): AliasSettings {
      const account = readAccount(userId);
      return domainId === null ? account : { ...account, ...withoutNulls(readDomain(domainId)) };
    },
    /** Whether aliases on a domain may contain slashes; never on the instance's own host. */
    allowsSlashes: (domainId: number | null): boolean => domainId !== null && readDomain(domainId).slashes,
  };
}

export type AliasSettingsStore = ReturnType<typeof aliasSettingsStore>;

function withoutNulls<Settings extends object>(settings: Settings) {
  const entries = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Settings]?: NonNullable<Settings[Name]> };
}
