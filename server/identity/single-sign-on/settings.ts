import type { BodyOf } from '../../contract/endpoint.ts';
import type { ProviderSettings, updateProvider } from '../../contract/single-sign-on.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { forbidden, rejected } from '../../platform/errors.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import type { Vault } from '../../platform/vault.ts';
import { purposes } from '../keys/purposes.ts';
import type { Provider } from './provider.ts';
import type { IdentityQueries, ProviderQueries } from './queries.ts';

interface Options {
  stored: ProviderQueries;
  identities: Pick<IdentityQueries, 'countAdministrators'>;
  vault: Vault;
  transactions: Transactions;
  audit: AuditLog;
  planExists: (id: number) => boolean;
  teamExists: (id: number) => boolean;
}

const nothing: ProviderSettings = {
  enabled: false,
  issuer: null,
  clientid: null,
  name: 'your company account',
  domains: [],
  create: false,
  linkbymail: false,
  passwords: true,
  scopes: [],
  planclaim: null,
  plans: [],
  teamclaim: null,
  teams: [],
};

/** Which provider people sign in with, and whether passwords do as well. */
export function providerSettings(options: Options) {
  const { stored, identities, vault, transactions, audit } = options;

  function settings(): ProviderSettings {
    const json = stored.findSettings();
    return { ...nothing, ...(json !== undefined && storedObject<Partial<ProviderSettings>>(json)) };
  }

  function openedSecret(): string | undefined {
    const sealed = stored.findSecret();
    return sealed === undefined ? undefined : vault.open(sealed, purposes.singleSignOn());
  }

  /** The provider; throws 403 if single sign-on is off. */
  function provider(chosen = settings()): Provider {
    const { issuer, clientid, scopes } = chosen;
    if (issuer === null || clientid === null) throw notSetUp();
    return { issuer, clientId: clientid, clientSecret: openedSecret(), scopes };
  }

  function enabledProvider(): Provider {
    const chosen = settings();
    if (!chosen.enabled) throw notSetUp();
    return provider(chosen);
  }

  return {
    provider,
    enabledProvider,
    settings,
    hasSecret: (): boolean => stored.findSecret() !== undefined,

    /** Whether passwords sign in. */
    allowsPasswords(): boolean {
      const { enabled, passwords } = settings();
      return passwords || !enabled;
    },

    /**
     * Updates the fields that were sent. Throws 400 if it would lock everyone out, or enable an incomplete provider.
     */
    update({ clientsecret, ...change }: BodyOf<typeof updateProvider>, actor: Actor): void {
      const before = settings();
      const next = { ...before, ...withoutUndefined(change) };
      if (next.enabled && (next.issuer === null || next.clientid === null)) {
        const field = next.issuer === null ? 'issuer' : 'clientid';
        throw rejected('sso_incomplete', field, 'Enter the issuer and the client ID first.');
      }
      if (next.enabled && !next.passwords && identities.countAdministrators(next.issuer ?? '') === 0) {
        throw rejected(
          'sso_no_administrator',
          'passwords',
          'No administrator has linked their account with this provider yet. Link yours first, or nobody could sign in.',
        );
      }
      if (change.plans?.some(({ planid }) => !options.planExists(planid))) {
        throw rejected('unknown_plan', 'plans', 'Plan not found.');
      }
      if (change.teams?.some(({ team }) => !options.teamExists(team))) {
        throw rejected('unknown_team', 'teams', 'Team not found.');
      }
      transactions.atomically(() => {
        stored.putSettings(JSON.stringify(next));
        if (clientsecret === null) stored.removeSecret();
        else if (clientsecret !== undefined)
          stored.putSecret(vault.seal(clientsecret, purposes.singleSignOn()));
        const names = Object.keys(change).filter((name) => Reflect.get(change, name) !== undefined);
        if (clientsecret !== undefined) names.push('clientsecret');
        audit.note(actor, 'settings.updated', { settings: names.map((name) => `sso.${name}`) }, null);
      });
    },

    /** Enables passwords for a server that nobody can sign in to; false if they were enabled. */
    allowPasswords(actor: Actor): boolean {
      if (settings().passwords) return false;
      transactions.atomically(() => {
        stored.putSettings(JSON.stringify({ ...settings(), passwords: true }));
        audit.note(actor, 'settings.updated', { settings: ['sso.passwords'] }, null);
      });
      return true;
    },
  };
}

export type SettingsOfProvider = ReturnType<typeof providerSettings>;

type Change = { [Name in keyof ProviderSettings]?: ProviderSettings[Name] | undefined };

/** The fields that were sent: an absent setting is unchanged. */
function withoutUndefined(change: Change): Partial<ProviderSettings> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function notSetUp() {
  return forbidden('sso_off', 'Single sign-on is not set up on this instance.');
}
