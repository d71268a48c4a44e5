import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../platform/database/connect.ts';

/** What stays revoked, although the backup still has it. */
export interface Revocations {
  keys: number;
  sessions: number;
  invitations: number;
  /** Whether the present state could be read; if not, every session ends and API keys are those of the backup. */
  known: boolean;
}

/**
 * Makes what was revoked since a backup stay revoked in what is restored from it: API keys, sessions and invitations that
 * the present database of the same instance does not have any more, and what keys that it still has may do by now. Another
 * instance, and an empty folder, have revoked nothing. `target` is what the restore has put together, `folder` what it is
 * going to replace.
 */
export function keepRevocations(target: string, folder: string): Revocations | undefined {
  const id = instanceOf(folder);
  // A copy of the database alone is one of this very folder.
  if (id === undefined || id !== (instanceOf(target) ?? id)) return undefined;
  const restored = connect(join(target, 'waypost.sqlite'), 'FULL');
  try {
    const remove = (sql: string) => restored.prepare(sql).run().changes;
    const without = (table: 'keys' | 'invitations') => `hash NOT IN (SELECT hash FROM present.${table})`;
    try {
      restored.prepare('ATTACH DATABASE ? AS present').run(join(folder, 'waypost.sqlite'));
      return restored.transaction((): Revocations => {
        const sessions = remove(`DELETE FROM keys WHERE kind = 'session' AND ${without('keys')}`);
        const keys = remove(`DELETE FROM keys WHERE ${without('keys')}`);
        restored.exec(`UPDATE keys SET scopes = now.scopes, ratelimit = now.ratelimit, expires_at = now.expires_at
          FROM present.keys AS now WHERE now.hash = keys.hash`);
        const open =
          'used_at IS NULL AND hash NOT IN (SELECT hash FROM present.invitations WHERE used_at IS NULL)';
        return { keys, sessions, invitations: remove(`DELETE FROM invitations WHERE ${open}`), known: true };
      })();
    } catch {
      // It is damaged: that is a reason to restore, and not one to let everybody in who was signed out.
      const sessions = remove("DELETE FROM keys WHERE kind = 'session'");
      return { keys: 0, sessions, invitations: 0, known: false };
    }
  } finally {
    restored.pragma('wal_checkpoint(TRUNCATE)');
    restored.close();
  }
}

/** What was kept revoked, as a sentence for whoever restores; undefined when there was nothing. */
export function revocationsText(found: Revocations | undefined): string | undefined {
  if (!found) return undefined;
  if (!found.known) {
    return 'What was there cannot be read: everybody has to sign in again. API keys that were revoked since the backup work again: look through them.';
  }
  const { keys, sessions, invitations } = found;
  if (keys + sessions + invitations === 0) return undefined;
  return `Revoked since the backup, and still revoked: ${keys} API keys, ${sessions} sessions, ${invitations} invitations.`;
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
