import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../contract/settings.ts';
import type { Actor } from '../platform/audit/actor.ts';
import { auditQueries } from '../platform/audit/queries.ts';
import { auditRoutes } from '../platform/audit/routes.ts';
import { auditLog } from '../platform/audit/service.ts';
import type { Databases } from '../platform/database/open.ts';
import type { Transactions } from '../platform/database/transactions.ts';
import { rejected } from '../platform/errors.ts';
import type { Changes } from '../platform/events/changes.ts';
import { type Fetcher, fetcher } from '../platform/fetcher/fetcher.ts';
import { loopbackNames } from '../platform/http/hosts.ts';
import type { Route } from '../platform/http/serve.ts';
import type { Backlog } from '../platform/jobs/backlog.ts';
import type { DeletionClock } from '../platform/jobs/deletion-clock.ts';
import type { Job } from '../platform/jobs/scheduler.ts';
import type { PartialSettings } from '../platform/settings/merge.ts';
import { settingsQueries } from '../platform/settings/queries.ts';
import { settingsRoutes } from '../platform/settings/routes.ts';
import { settingsService } from '../platform/settings/service.ts';
import { findVaultKey, lockedVault, makeVaultKey, vault } from '../platform/vault.ts';
import { avatarQueries } from './account/queries.ts';
import { accountRoutes } from './account/routes.ts';
import { accountService } from './account/service.ts';
import { apiKeyService } from './keys/api-key-service.ts';
import { findLostSecrets } from './keys/check-secrets.ts';
import { passwords } from './keys/passwords.ts';
import { keyQueries } from './keys/queries.ts';
import { keyRoutes } from './keys/routes.ts';
import { type KeyChoice, keyService } from './keys/service.ts';
import { planQueries } from './plans/queries.ts';
import { planRoutes } from './plans/routes.ts';
import { planService } from './plans/service.ts';
import type { StorageQuota } from './plans/storage-quota.ts';
import { domainQueries } from './plans/usable-domains.ts';
import { passwordConfirmation } from './sessions/confirm-password.ts';
import { deviceOf } from './sessions/device.ts';
import { failureLock } from './sessions/failure-lock.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sessionService } from './sessions/service.ts';
import { twoFactorQueries } from './two-factor/queries.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';
import { twoFactorService } from './two-factor/service.ts';
import { userAdminService } from './users/admin-service.ts';
import { invitationJob } from './users/invitation-job.ts';
import { invitationQueries } from './users/invitation-queries.ts';
import { userQueries } from './users/queries.ts';
import { registrationRoutes } from './users/registration-routes.ts';
import { registrationService } from './users/registration-service.ts';
import { accountRemoval } from './users/removal.ts';
import { userRoutes } from './users/routes.ts';
import { userService } from './users/service.ts';

interface Options {
  databases: Databases;
  transactions: Transactions;
  backlog: Backlog;
  /** Settings that the start decided. */
  fixedSettings: PartialSettings;
  vaultKey: Buffer | undefined;
  log: Pick<Logger, 'error'>;
  timezone: string;
  setupCode: string;
  /** Whether the desktop app started it, for the person in front of it. */
  isDesktop: boolean;
  passwordCost: number | undefined;
  /** Fetches pictures; by default from the public network and the ranges that the settings allow. */
  fetcher: Fetcher | undefined;
  now: () => number;
  monotonic: () => number;
  /** The public address of the instance. */
  baseUrl: () => string;
  /** Id of a domain that an account may use; null is the instance's own address. Throws 400. */
  domainOf: (reference: string, userId: number) => number | null;
  quota: StorageQuota;
  clock: Pick<DeletionClock, 'isTrusted'>;
  /** Told of a key that stopped being valid, so that its live streams end. */
  onRevoked: (keyId: number) => void;
  changes: Pick<Changes, 'publish'>;
  /** Told before an account goes. */
  onRemove: (userId: number) => () => Promise<void>;
}

/** Wires what is about accounts: settings, plans, users, keys, sessions, two-factor authentication, audit log. */
export function accountModules(options: Options) {
  const { now, monotonic, baseUrl } = options;
  const database = options.databases.main;
  const atomic = options.transactions;
  const audit = auditLog({
    queries: auditQueries(database),
    now,
    isClockTrusted: options.clock.isTrusted,
    changes: options.changes,
  });
  const planRows = planQueries(database);
  const isDomain = domainQueries(database, now).leadsHere;
  const planExists = (id: number) => planRows.find(id) !== undefined;
  const settings = settingsService({
    queries: settingsQueries(database),
    fixed: options.fixedSettings,
    planExists,
    isDomain,
    transactions: atomic,
    log: options.log,
  });
  const defaultPlan = () => settings.current().defaultPlan;

  const hashing = passwords(options.passwordCost === undefined ? {} : { cost: options.passwordCost });
  const vaultKey = vaultKeyFor(options);
  const secrets = vaultKey === undefined ? lockedVault : vault(vaultKey);
  const failures = failureLock(database, now);
  const confirmPassword = passwordConfirmation({ failures, passwords: hashing });
  const keys = keyService({
    queries: keyQueries(database),
    now,
    isClockTrusted: options.clock.isTrusted,
    onRevoked: options.onRevoked,
  });
  const users = userService({
    queries: userQueries(database),
    plans: planRows,
    passwords: hashing,
    now,
    timezone: options.timezone,
    defaultPlan,
  });
  const twoFactor = twoFactorService({
    queries: twoFactorQueries(database),
    vault: secrets,
    failures,
    confirmPassword,
    transactions: atomic,
    audit,
    now,
    monotonic,
  });
  const sessions = sessionService({
    users,
    keys,
    passwords: hashing,
    failures,
    transactions: atomic,
    twoFactor,
    audit,
    setupCode: options.setupCode,
    trustsLoopback: () => options.isDesktop || !isBehindProxy(settings.current()),
  });
  const avatars = avatarQueries(database);
  const outgoing =
    options.fetcher ?? fetcher({ allowedRanges: () => settings.current().allowedPrivateRanges });
  const accounts = accountService({
    users,
    keys,
    passwords: hashing,
    confirmPassword,
    vault: secrets,
    avatars,
    quota: options.quota,
    fetcher: outgoing,
    domainOf: options.domainOf,
    transactions: atomic,
    audit,
  });
  const invitations = invitationQueries(database);
  const registrations = registrationService({
    queries: invitations,
    users,
    keys,
    sessions,
    planExists,
    mode: () => settings.current().registration,
    transactions: atomic,
    audit,
    now,
  });
  const plans = planService({ queries: planRows, defaultPlan, transactions: atomic, audit });
  const removal = accountRemoval(database);
  const userAdmin = userAdminService({
    removal,
    wakeRemoval: options.backlog.add({ name: 'accounts', step: removal.step }),
    now,
    users,
    keys,
    passwords: hashing,
    twoFactor,
    planExists,
    transactions: atomic,
    audit,
    onRemove: options.onRemove,
  });

  const apiKeys = apiKeyService({
    keys,
    audit,
    transactions: atomic,
    ratelimit: () => settings.current().ratelimit,
    now,
  });

  const keyCommands = {
    addKey: (userId: number, choice: KeyChoice, actor: Actor) =>
      atomic.atomically(() => {
        audit.note(actor, 'key.added', { key: choice.name, scopes: choice.scopes }, userId);
        return keys.addCustom(userId, choice);
      }),
    revokeKey: (id: number, actor: Actor): boolean =>
      atomic.atomically(() => {
        const key = keys.findAnyApiKey(id);
        if (!key) return false;
        if (key.kind === 'primary') {
          const message =
            'This is the primary key of an account, which cannot be revoked. Its owner replaces it by a new one.';
          throw rejected('primary_key', undefined, message);
        }
        audit.note(actor, 'key.deleted', { key: key.name }, key.user_id);
        keys.revoke(id);
        return true;
      }),
  };

  const jobs: Job[] = [
    invitationJob({ queries: invitations, transactions: atomic, clock: options.clock, now }),
  ];
  const routes: Route[] = [
    ...sessionRoutes({ sessions, keys, baseUrl }),
    ...accountRoutes({ accounts, baseUrl }),
    ...twoFactorRoutes({ twoFactor }),
    ...keyRoutes({ apiKeys, now }),
    ...userRoutes({ users: userAdmin, baseUrl }),
    ...planRoutes({ plans, users: userAdmin, now }),
    ...registrationRoutes({ registrations, baseUrl, deviceOf }),
    ...settingsRoutes({ settings, audit }),
    ...auditRoutes({ audit }),
  ];
  return {
    settings,
    isDomain,
    audit,
    keys,
    users,
    sessions,
    passwords: hashing,
    avatars,
    fetcher: outgoing,
    vault: secrets,
    vaultKey,
    keyCommands,
    userAdmin,
    jobs,
    routes,
  };
}

/**
 * The key of the vault: handed in, kept in the data folder, or made for a folder without one. While something is sealed with
 * a key that is gone no other takes its place; undefined then, and everything but secrets goes on.
 */
function vaultKeyFor({ vaultKey, databases, log }: Options): Buffer | undefined {
  const folder = dirname(databases.file);
  const key = vaultKey ?? findVaultKey(folder);
  const loss = findLostSecrets(databases.main, key);
  if (loss === undefined) return key ?? makeVaultKey(folder);
  log.error(
    `${loss} Put the key back into ${folder} and start anew. Links work; these secrets do not open${key ? '' : ', and no new one is stored'}.`,
  );
  return key;
}

/**
 * Whether the settings speak of a proxy: a public address, or proxies that are trusted. One on this machine may pass a
 * stranger's request on without a sign of it, with the name that it has for the server itself.
 */
function isBehindProxy({ baseUrl, trustedProxies }: Pick<Settings, 'baseUrl' | 'trustedProxies'>): boolean {
  return (
    trustedProxies.length > 0 || (baseUrl !== null && !loopbackNames.includes(new URL(baseUrl).hostname))
  );
}
