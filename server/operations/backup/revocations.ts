import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, connect } from '../../platform/database/connect.ts';

/** What stays revoked, although the backup still has it. */
export interface Revocations {
  keys: number;
  passkeys: number;
  sessions: number;
  invitations: number;
  /** Former members of teams. */
  members: number;
  /** Accounts that are switched off, or administrate no more, because that is so by now or they were deleted. */
  accounts: number;
  /** Accounts whose newer password or second factor is kept. */
  secrets: number;
  webhooks: number;
  /** Whether the present state could be read; if not, every session ends and API keys are those of the backup. */
  known: boolean;
}

interface Replacement {
  /** The restored data. */
  target: string;
  /** The data to be replaced. */
  folder: string;
  /** Whether secrets are sealed with another key afterwards, so that those of the present cannot be opened any more. */
  changesKey: boolean;
}

/**
 * Makes what was revoked since a backup stay revoked in what is restored from it. Of the same instance's present state
 * these survive:
 * - API keys, sessions and invitations that are gone stay gone, and what a key may do is what it may do by now;
 * - accounts that were switched off stay so, those that were deleted come back switched off, and a former administrator
 *   does not become one again, but for the first one where nobody would be left to administer;
 * - passwords, second factors and recovery codes are the present ones, and so are the failures to sign in with them: a
 *   restore gives nobody five more attempts;
 * - passkeys and identities of single sign-on that were removed stay so, and its provider is the present one;
 * - teams have the members that they have by now, with their roles, and invitations into them are used up as they are;
 * - webhooks that were deleted, switched off or led elsewhere come back switched off.
 * Another instance, and an empty folder, have revoked nothing.
 */
export function keepRevocations({ target, folder, changesKey }: Replacement): Revocations | undefined {
  const id = instanceOf(folder);
  // A copy of the database alone is one of this very folder.
  if (id === undefined || id !== (instanceOf(target) ?? id)) return undefined;
  const restored = connect(join(target, 'waypost.sqlite'), 'FULL');
  try {
    try {
      restored.prepare('ATTACH DATABASE ? AS present').run(join(folder, 'waypost.sqlite'));
      return restored.transaction(() => keepPresent(restored, changesKey))();
    } catch {
      // It is damaged: that is a reason to restore, and not one to let everybody in who was signed out.
      const sessions = restored.prepare("DELETE FROM keys WHERE kind = 'session'").run().changes;
      return {
        keys: 0,
        passkeys: 0,
        sessions,
        invitations: 0,
        members: 0,
        accounts: 0,
        secrets: 0,
        webhooks: 0,
        known: false,
      };
    }
  } finally {
    restored.pragma('wal_checkpoint(TRUNCATE)');
    restored.close();
  }
}

function keepPresent(restored: Connection, changesKey: boolean): Revocations {
  const change = (sql: string) => restored.prepare(sql).run().changes;
  const without = (table: 'keys' | 'invitations') => `hash NOT IN (SELECT hash FROM present.${table})`;
  const sessions = change(`DELETE FROM keys WHERE kind = 'session' AND ${without('keys')}`);
  const keys = change(`DELETE FROM keys WHERE ${without('keys')}`);
  change(`UPDATE keys SET scopes = now.scopes, ratelimit = now.ratelimit, expires_at = now.expires_at
    FROM present.keys AS now WHERE now.hash = keys.hash`);
  const open = 'used_at IS NULL AND hash NOT IN (SELECT hash FROM present.invitations WHERE used_at IS NULL)';
  keepFailures(restored);
  const passkeys = change(
    'DELETE FROM passkeys WHERE credential_id NOT IN (SELECT credential_id FROM present.passkeys)',
  );
  change(`UPDATE passkeys SET counter = now.counter, last_used_at = now.last_used_at
    FROM present.passkeys AS now WHERE now.credential_id = passkeys.credential_id`);
  change(`DELETE FROM identities WHERE NOT EXISTS (SELECT 1 FROM present.identities AS now
    WHERE now.issuer = identities.issuer AND now.subject = identities.subject)`);
  keepProvider(restored, changesKey);
  return {
    keys,
    passkeys,
    sessions,
    invitations: change(`DELETE FROM invitations WHERE ${open}`),
    members: keepMembers(restored),
    accounts: keepAccounts(restored),
    secrets: keepSecrets(restored, changesKey),
    webhooks: change(`UPDATE webhooks SET enabled = 0 WHERE enabled = 1 AND NOT EXISTS (
      SELECT 1 FROM present.webhooks AS now WHERE now.id = webhooks.id AND now.created_at = webhooks.created_at
        AND now.url = webhooks.url AND now.enabled = 1)`),
    known: true,
  };
}

/** After a restore ids are given again, so an id alone does not make two rows the same account. */
const isSameAccount =
  'now.id = users.id AND now.registered_at = users.registered_at AND now.removed_at IS NULL';

function keepAccounts(restored: Connection): number {
  const change = (sql: string) => restored.prepare(sql).run().changes;
  const administrator = restored
    .prepare<[], number>('SELECT id FROM users WHERE admin = 1 AND active = 1 ORDER BY id LIMIT 1')
    .pluck();
  const first = administrator.get();
  const off = change(`UPDATE users SET active = 0 WHERE active = 1 AND NOT EXISTS (
    SELECT 1 FROM present.users AS now WHERE ${isSameAccount} AND now.active = 1)`);
  const demoted = change(`UPDATE users SET admin = 0 FROM present.users AS now
    WHERE ${isSameAccount} AND users.admin = 1 AND now.admin = 0`);
  // Those who administrate by now may all be newer than the backup.
  if (first !== undefined && administrator.get() === undefined) {
    restored.prepare('UPDATE users SET admin = 1, active = 1 WHERE id = ?').run(first);
  }
  return off + demoted;
}

function keepSecrets(restored: Connection, changesKey: boolean): number {
  const change = (sql: string) => restored.prepare(sql).run().changes;
  const passwords = change(`UPDATE users SET password_hash = now.password_hash FROM present.users AS now
    WHERE ${isSameAccount} AND now.password_hash <> users.password_hash`);
  // Sealed with a key that is not there afterwards, the present second factors would lock everybody out.
  if (changesKey) return passwords;
  const factors = change(`UPDATE users SET totp_secret = now.totp_secret, totp_step = now.totp_step
    FROM present.users AS now WHERE ${isSameAccount} AND now.totp_secret IS NOT users.totp_secret`);
  // A code works once, also when the restore comes between.
  change(`UPDATE users SET totp_step = now.totp_step FROM present.users AS now
    WHERE ${isSameAccount} AND ifnull(now.totp_step, -1) > ifnull(users.totp_step, -1)`);
  const theirs = `user_id IN (SELECT users.id FROM users JOIN present.users AS now ON ${isSameAccount})`;
  change(`DELETE FROM recovery_codes WHERE ${theirs}`);
  change(`INSERT INTO recovery_codes (user_id, hash, used_at)
    SELECT user_id, hash, used_at FROM present.recovery_codes WHERE ${theirs}`);
  return passwords + factors;
}

/** The newer provider decides who may sign in, not the older one. */
function keepProvider(restored: Connection, changesKey: boolean): void {
  const change = (sql: string) => restored.prepare(sql).run();
  change("DELETE FROM settings WHERE name IN ('singleSignOn', 'singleSignOnSecret')");
  // A secret that was sealed with another key opens no more.
  const kept = changesKey ? "('singleSignOn')" : "('singleSignOn', 'singleSignOnSecret')";
  change(`INSERT INTO settings (name, value) SELECT name, value FROM present.settings WHERE name IN ${kept}`);
}

/**
 * Teams have their present members. One whose present owner is newer than the backup keeps the owner of then, as
 * somebody has to own it, and loses whoever left. Returns how many memberships ended.
 */
function keepMembers(restored: Connection): number {
  const change = (sql: string) => restored.prepare(sql).run().changes;
  const same = `SELECT users.id FROM users JOIN present.users AS now ON ${isSameAccount}`;
  const isPresent = `EXISTS (SELECT 1 FROM present.members AS now
    WHERE now.team_id = members.team_id AND now.person_id = members.person_id)`;
  const ended = change(`DELETE FROM members WHERE role <> 'owner' AND team_id IN (${same})
    AND NOT (person_id IN (${same}) AND ${isPresent})`);
  // If the current owner can take over the team, everything is as it is now.
  const taken = `SELECT team_id FROM present.members WHERE role = 'owner' AND team_id IN (${same}) AND person_id IN (${same})`;
  change(`DELETE FROM members WHERE team_id IN (${taken})`);
  change(`INSERT INTO members (team_id, person_id, role, own_only, joined_at)
    SELECT team_id, person_id, role, own_only, joined_at FROM present.members
    WHERE team_id IN (${taken}) AND person_id IN (${same})`);
  change(`UPDATE members SET role = now.role, own_only = now.own_only FROM present.members AS now
    WHERE now.team_id = members.team_id AND now.person_id = members.person_id
      AND members.role <> 'owner' AND now.role <> 'owner'`);
  change('DELETE FROM team_invitations WHERE hash NOT IN (SELECT hash FROM present.team_invitations)');
  change(`UPDATE team_invitations SET used = max(team_invitations.used, now.used)
    FROM present.team_invitations AS now WHERE now.hash = team_invitations.hash`);
  change(`INSERT OR IGNORE INTO invitation_bars (invitation_id, person_id)
    SELECT team_invitations.id, bars.person_id FROM present.invitation_bars AS bars
    JOIN present.team_invitations AS now ON now.id = bars.invitation_id
    JOIN team_invitations ON team_invitations.hash = now.hash
    WHERE bars.person_id IN (${same})`);
  return ended;
}

/**
 * Attempts that failed count on, or each restore would forgive them; by accounts that are the same, and by other
 * logins.
 */
function keepFailures(restored: Connection): void {
  const change = (sql: string) => restored.prepare(sql).run();
  const same = `SELECT users.id FROM users JOIN present.users AS now ON ${isSameAccount}`;
  change('DELETE FROM failures');
  change(`INSERT INTO failures (subject, kind, network, at)
    SELECT subject, kind, network, at FROM present.failures
    WHERE subject LIKE 'login %' OR subject IN (SELECT 'user ' || id FROM (${same}))`);
  change(`DELETE FROM code_rows WHERE user_id IN (${same})`);
  change(`INSERT INTO code_rows (user_id, length)
    SELECT user_id, length FROM present.code_rows WHERE user_id IN (${same})`);
}

/** A summary of what was kept revoked; undefined if there was nothing. */
export function revocationsText(found: Revocations | undefined): string | undefined {
  if (!found) return undefined;
  if (!found.known) {
    return 'The previous data cannot be read: everyone has to sign in again. API keys revoked since the backup work again, and accounts deactivated since are active: review them.';
  }
  const { keys, passkeys, sessions, invitations, members, accounts, secrets, webhooks } = found;
  const sentences: string[] = [];
  if (keys + passkeys + sessions + invitations > 0) {
    sentences.push(
      `Revoked since the backup, and still revoked: ${keys} API keys, ${passkeys} passkeys, ${sessions} sessions, ${invitations} invitations.`,
    );
  }
  if (members > 0)
    sentences.push(`Memberships of teams that ended since the backup, and stay ended: ${members}.`);
  if (accounts > 0) {
    sentences.push(
      `Deactivated, deleted or demoted since the backup: ${accounts} accounts. They stay that way; deleted ones are restored deactivated.`,
    );
  }
  if (secrets > 0)
    sentences.push(`Kept because they are newer than the backup: ${secrets} passwords and second factors.`);
  if (webhooks > 0) sentences.push(`Webhooks disabled since the backup stay disabled: ${webhooks}.`);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function instanceOf(folder: string): string | undefined {
  const file = join(folder, 'instance.json');
  if (!existsSync(file)) return undefined;
  try {
    // Written by this program.
    return (JSON.parse(readFileSync(file, 'utf8')) as { id?: string }).id;
  } catch {
    // A damaged file names no instance.
    return undefined;
  }
}
