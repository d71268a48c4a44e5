import type { Connection } from '../../platform/database/connect.ts';
import { vault } from '../../platform/vault.ts';
import { purposes } from './purposes.ts';
import { type SealedKind, sealedTexts } from './sealed-queries.ts';

const purposeOf: Record<SealedKind, (userId: number) => string> = {
  'second factor': purposes.secondFactor,
  'mailer key': purposes.mailerKey,
  'webhook secret': purposes.webhookSecret,
  'backup passphrase': purposes.backupPassphrase,
  'single sign-on secret': purposes.singleSignOn,
  'mail password': purposes.mailPassword,
  'fleet secret': purposes.fleet,
};

/** Says in a sentence what is sealed in a database and not opened by the vault's key; undefined when all of it opens. */
export function findLostSecrets(database: Connection, vaultKey: Buffer | undefined): string | undefined {
  const opening = vaultKey && vault(vaultKey);
  const lost = new Map<SealedKind, number>();
  for (const { kind, user_id, sealed } of sealedTexts(database)) {
    if (opening?.open(sealed, purposeOf[kind](user_id)) !== undefined) continue;
    lost.set(kind, (lost.get(kind) ?? 0) + 1);
  }
  if (lost.size === 0) return undefined;
  const what = [...lost].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ');
  return vaultKey === undefined
    ? `The vault's key (vault.key) is missing or unreadable, and this is sealed with it: ${what}.`
    : `The vault's key (vault.key) is not the one with which this was sealed: ${what}.`;
}
