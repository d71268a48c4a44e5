import type { SealedKind } from '../../contract/instance.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { vault } from '../../platform/vault.ts';
import { purposes } from './purposes.ts';
import { sealedTexts } from './sealed-queries.ts';

const purposeOf: Record<SealedKind, (userId: number) => string> = {
  'second factor': purposes.secondFactor,
  'mailer key': purposes.mailerKey,
  'webhook secret': purposes.webhookSecret,
  'backup passphrase': purposes.backupPassphrase,
  'single sign-on secret': purposes.singleSignOn,
  'mail password': purposes.mailPassword,
  'fleet secret': purposes.fleet,
};

/** Secrets in a database that the vault's key does not decrypt. */
export interface LostSecrets {
  kinds: SealedKind[];
  /** Whether there is no key at all, so that no new secret can be sealed either. */
  isKeyMissing: boolean;
  /** All of it in a sentence, with how many of each kind. */
  sentence: string;
}

/** Looks for what the vault's key does not open; undefined when all of it opens. */
export function findLostSecrets(database: Connection, vaultKey: Buffer | undefined): LostSecrets | undefined {
  const opening = vaultKey && vault(vaultKey);
  const lost = new Map<SealedKind, number>();
  for (const { kind, user_id, sealed } of sealedTexts(database)) {
    if (opening?.open(sealed, purposeOf[kind](user_id)) !== undefined) continue;
    lost.set(kind, (lost.get(kind) ?? 0) + 1);
  }
  if (lost.size === 0) return undefined;
  const what = [...lost].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ');
  const isKeyMissing = vaultKey === undefined;
  const sentence = isKeyMissing
    ? `The vault key (vault.key) is missing or unreadable, and this is encrypted with it: ${what}.`
    : `The vault key (vault.key) is not the one with which this was encrypted: ${what}.`;
  return { kinds: [...lost.keys()], isKeyMissing, sentence };
}
