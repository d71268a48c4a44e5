import { dirname } from 'node:path';
import type { Actor } from '../platform/audit/actor.ts';
import { auditLists } from '../platform/audit/list-queries.ts';
import { auditRoutes } from '../platform/audit/routes.ts';
import type { Config } from '../platform/config.ts';
import type { Core } from '../platform/core.ts';
import { rejected } from '../platform/errors.ts';
import type { Route } from '../platform/http/serve.ts';
import type { Job } from '../platform/jobs/scheduler.ts';
import { mailModule } from '../platform/mail/module.ts';
import { settingsRoutes } from '../platform/settings/routes.ts';
import { findVaultKey, lockedVault, makeVaultKey, vault } from '../platform/vault.ts';
import { avatars } from './account/avatar.ts';
import { changedAddressMail } from './account/changed-address-mail.ts';
import { avatarQueries } from './account/queries.ts';
import { accountRoutes } from './account/routes.ts';
import { accountService } from './account/service.ts';
import { browserSignInRoutes } from './browser-sign-in/routes.ts';
import { browserSignIn } from './browser-sign-in/service.ts';
import { apiKeyService } from './keys/api-key-service.ts';
import { findLostSecrets, type LostSecrets } from './keys/check-secrets.ts';
import { passwords } from './keys/passwords.ts';
import { purposes } from './keys/purposes.ts';
import { keyQueries } from './keys/queries.ts';
import { keyRoutes } from './keys/routes.ts';
import { type KeyChoice, keyService } from './keys/service.ts';
import { challenges } from './passkeys/challenges.ts';
import { passkeyQueries } from './passkeys/queries.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { passkeyService } from './passkeys/service.ts';
import { passwordResetQueries } from './password-reset/queries.ts';
import { passwordResetRoutes } from './password-reset/routes.ts';
import { passwordResets } from './password-reset/service.ts';
import { domainChoice } from './plans/domain-choice.ts';
import { planQueries } from './plans/queries.ts';
import { planRoutes } from './plans/routes.ts';
import { planService } from './plans/service.ts';
import { settingsRules } from './plans/settings-rules.ts';
import { storageQueries } from './plans/storage-queries.ts';
import { storageQuota } from './plans/storage-quota.ts';
import { domainQueries } from './plans/usable-domains.ts';
import { authenticator } from './sessions/authenticate.ts';
import { passwordConfirmation } from './sessions/confirm-password.ts';
import { deviceOf } from './sessions/device.ts';
import { failureLock } from './sessions/failure-lock.ts';
import { lastWayIn } from './sessions/last-way-in.ts';
import { newSignInMail } from './sessions/new-sign-in.ts';
import { personProof } from './sessions/proof.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sessionService } from './sessions/service.ts';
import { claimedPowers } from './single-sign-on/claims.ts';
import { providerClient } from './single-sign-on/provider.ts';
import { identityQueries, providerQueries } from './single-sign-on/queries.ts';
import { singleSignOnRoutes } from './single-sign-on/routes.ts';
import { singleSignOn } from './single-sign-on/service.ts';
import { providerSettings } from './single-sign-on/settings.ts';
import { teamInvitationQueries } from './teams/invitation-queries.ts';
import { teamInvitations } from './teams/invitations.ts';
import { memberships } from './teams/membership.ts';
import { teamLists, teamQueries } from './teams/queries.ts';
import { teamRoutes } from './teams/routes.ts';
import { teamService } from './teams/service.ts';
import { teamTrashJob } from './teams/trash-job.ts';
import { twoFactorQueries } from './two-factor/queries.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';
import { twoFactorService } from './two-factor/service.ts';
import { userAdminService } from './users/admin-service.ts';
import { invitationJob } from './users/invitation-job.ts';
import { invitationMail } from './users/invitation-mail.ts';
import { invitationQueries } from './users/invitation-queries.ts';
import { userLists, userQueries } from './users/queries.ts';
import { registrationRoutes } from './users/registration-routes.ts';
import { registrationService } from './users/registration-service.ts';
import { accountRemoval } from './users/removal.ts';
import { userRoutes } from './users/routes.ts';
import { type Registration, userService } from './users/service.ts';

interface Options {
  /** `desktop`: whether the desktop app started it, for the person in front of it. */
  config: Pick<Config, 'timezone' | 'vaultKey'> & Partial<Pick<Config, 'desktop' | 'mailPassword'>>;
  /** Required to set up the instance from another machine while no account exists. */
  setupCode: string;
  /** log2 of the cost of password hashes. */
  passwordCost?: number | undefined;
  /** Authorities that mail servers are trusted by, in place of the usual ones; for tests. */
  mailAuthorities?: string | undefined;
  /** How many milliseconds shutdown waits for a mail server; tests shorten it. */
  mailLastMs?: number | undefined;
  /** ISO code of the country of an address; '' where it is not known. */
  countryOf: (address: string) => string;
}

/** Sets up everything about accounts: settings, plans, users, keys, sessions, two-factor authentication, audit log. */
export function identityModule(core: Core, options: Options) {
  const { audit, baseUrl, linkOrigin, settings, transactions: atomic } = core;
  const { now, monotonic } = core.clock;
  const database = core.databases.main;
  const planRows = planQueries(database);
  const domains = domainQueries(database, now);
  const planExists = (id: number) => planRows.find(id) !== undefined;
  settings.addRule(settingsRules({ planExists, isDomain: domains.leadsHere }));
  const defaultPlan = () => settings.current().defaultPlan;

  const quota = storageQuota(storageQueries(database));
  const hashing = passwords(options.passwordCost === undefined ? {} : { cost: options.passwordCost });
  const { key: vaultKey, lost: lostSecrets } = vaultKeyFor(core, options.config.vaultKey);
  const secrets = vaultKey === undefined ? lockedVault : vault(vaultKey);
  const mail = mailModule(core, {
    vault: secrets,
    purposes: { password: purposes.mailPassword(), outbox: purposes.outbox() },
    password: options.config.mailPassword,
    authorities: options.mailAuthorities,
    lastMs: options.mailLastMs,
  });
  const mailInvitation = invitationMail(mail);
  const failures = failureLock(database, now);
  const confirmPassword = passwordConfirmation({ failures, passwords: hashing });
  const keys = keyService({
    queries: keyQueries(database),
    now,
    isClockTrusted: core.clock.isTrusted,
    revoked: core.revokedKeys,
  });
  const users = userService({
    queries: userQueries(database),
    plans: planRows,
    passwords: hashing,
    now,
    timezone: options.config.timezone,
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
  const prove = personProof({ confirmPassword, twoFactor, now });
  const identities = identityQueries(database);
  const teamRows = teamQueries(database);
  const provider = providerSettings({
    stored: providerQueries(database),
    identities,
    vault: secrets,
    transactions: atomic,
    audit,
    planExists,
    teamExists: teamRows.exists,
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
    allowsPasswords: provider.allowsPasswords,
    trustsLoopback: options.config.desktop === true,
    onNewPlace: newSignInMail({ mail, users, countryOf: options.countryOf }),
    now,
  });
  const challengeSecret = core.random.bytes(32);
  const signInChallenges = challenges({
    secret: challengeSecret,
    randomBytes: core.random.bytes,
    monotonic,
  });
  const checkNotLast = lastWayIn(database);
  const passkeys = passkeyService({
    queries: passkeyQueries(database),
    challenges: signInChallenges,
    users,
    sessions,
    prove,
    checkNotLast,
    transactions: atomic,
    audit,
    now,
    secret: challengeSecret,
  });
  const throughBrowser = browserSignIn({
    sessions,
    users,
    audit,
    revoked: core.revokedKeys,
    randomBytes: core.random.bytes,
    monotonic,
  });
  const resets = passwordResets({
    queries: passwordResetQueries(database),
    mail,
    users,
    keys,
    passwords: hashing,
    failures,
    allowsPasswords: provider.allowsPasswords,
    transactions: atomic,
    audit,
    randomBytes: core.random.bytes,
    now,
  });
  const avatarRows = avatarQueries(database);
  const accounts = accountService({
    users,
    keys,
    passwords: hashing,
    prove,
    vault: secrets,
    avatars: avatarRows,
    quota,
    fetcher: core.fetcher,
    baseUrl,
    domainOf: domainChoice({ domains, baseUrl }),
    transactions: atomic,
    audit,
    tellFormerAddress: changedAddressMail({ mail, users }),
    now,
  });
  const membershipOf = memberships({ users, teams: teamRows });
  const teamInvitationRows = teamInvitationQueries(database);
  const teams = teamService({
    queries: teamRows,
    invitations: teamInvitationRows,
    lists: teamLists(core.reader),
    users,
    keys,
    prove,
    transactions: atomic,
    audit,
    endedMemberships: core.endedMemberships,
    changes: core.changes,
    now,
  });
  const sso = singleSignOn({
    settings: provider,
    identities,
    client: providerClient({ fetcher: core.fetcher, monotonic }),
    challenges: signInChallenges,
    secret: challengeSecret,
    users,
    sessions,
    prove,
    checkNotLast,
    applyClaims: claimedPowers({
      users,
      planExists,
      defaultPlan,
      setMembership: teams.setMembership,
      audit,
    }),
    transactions: atomic,
    audit,
    now,
  });
  const intoTeams = teamInvitations({
    queries: teamInvitationRows,
    teams,
    rows: teamRows,
    users,
    mailInvitation,
    transactions: atomic,
    audit,
    randomBytes: core.random.bytes,
    now,
  });
  const invitations = invitationQueries(database);
  const registrations = registrationService({
    queries: invitations,
    users,
    keys,
    sessions,
    teamInvitations: intoTeams,
    planExists,
    mode: () => settings.current().registration,
    mailInvitation,
    transactions: atomic,
    audit,
    now,
  });
  const plans = planService({
    queries: planRows,
    defaultPlan,
    isGivenByClaim: (id) => provider.settings().plans.some(({ planid }) => planid === id),
    transactions: atomic,
    audit,
  });
  const removal = accountRemoval(database);
  const userAdmin = userAdminService({
    removal,
    wakeRemoval: core.backlog.add({ name: 'accounts', step: removal.step }),
    teams: teamRows,
    now,
    users,
    lists: userLists(core.reader),
    keys,
    passwords: hashing,
    twoFactor,
    planExists,
    transactions: atomic,
    audit,
  });

  const apiKeys = apiKeyService({
    keys,
    users,
    teams: teamRows,
    audit,
    transactions: atomic,
    ratelimit: () => settings.current().ratelimit,
    now,
  });

  const keyCommands = {
    allowPasswords: provider.allowPasswords,
    teams: { found: teams.found, setMember: teams.setMember, dropMember: teams.dropMember },
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
            "This is an account's primary key, which cannot be revoked. Its owner can regenerate it.";
          throw rejected('primary_key', undefined, message);
        }
        audit.note(actor, 'key.deleted', { key: key.name }, key.user_id);
        keys.revoke(id);
        return true;
      }),
  };

  const kept = { transactions: atomic, clock: core.clock, now };
  const jobs: Job[] = [
    ...mail.jobs,
    invitationJob({ queries: [invitations, teamInvitationRows], ...kept }),
    teamTrashJob({ queries: teamRows, erase: userAdmin.erase, ...kept }),
  ];
  const routes: Route[] = [
    ...sessionRoutes({ sessions, keys, baseUrl, countryOf: options.countryOf }),
    ...passkeyRoutes({ passkeys, baseUrl }),
    ...browserSignInRoutes({ browserSignIn: throughBrowser, baseUrl }),
    ...singleSignOnRoutes({ singleSignOn: sso, provider, offersReset: resets.isOffered, baseUrl }),
    ...passwordResetRoutes({ resets }),
    ...mail.routes,
    ...accountRoutes({ accounts, baseUrl }),
    ...twoFactorRoutes({ twoFactor, prove }),
    ...keyRoutes({ apiKeys, now, countryOf: options.countryOf }),
    ...userRoutes({ users: userAdmin, baseUrl }),
    ...planRoutes({ plans, users: userAdmin, now }),
    ...registrationRoutes({ registrations, linkOrigin, baseUrl, deviceOf }),
    ...settingsRoutes({ settings, audit }),
    ...teamRoutes({ teams, invitations: intoTeams, linkOrigin, baseUrl }),
    ...auditRoutes({ lists: auditLists(core.reader) }),
  ];
  return {
    /** Does the first run from the command line; throws when an account exists. */
    async createAdministrator(registration: Registration) {
      const { apiKey, account } = await sessions.setUp(registration, {
        local: true,
        code: options.setupCode,
      });
      return { userId: account.user.id, apiKey };
    },
    authenticate: authenticator({ keys, users, membershipOf }),
    membershipOf,
    users,
    sessions,
    passwords: hashing,
    quota,
    vault: secrets,
    vaultKey,
    userAdmin,
    jobs,
    keyCommands,
    answerAvatar: avatars({ findPicture: avatarRows.find }),
    mail,
    /** What the vault's key did not open at the start. */
    lostSecrets,
    routes,
    close: mail.close,
  };
}

export type Identity = ReturnType<typeof identityModule>;

/**
 * The vault key: passed in, read from the data folder, or created for a new one. If data is encrypted with a key that
 * is lost, no new key is created; undefined then, and everything except secrets keeps working.
 */
function vaultKeyFor(
  { databases, log }: Core,
  given: Buffer | undefined,
): { key: Buffer | undefined; lost: LostSecrets | undefined } {
  const folder = dirname(databases.file);
  const key = given ?? findVaultKey(folder);
  const lost = findLostSecrets(databases.main, key);
  if (lost === undefined) return { key: key ?? makeVaultKey(folder), lost };
  log.error(
    `${lost.sentence} Put the key back into ${folder} and restart. Links work; these secrets cannot be decrypted${key ? '' : ', and no new one is stored'}.`,
  );
  return { key, lost };
}
