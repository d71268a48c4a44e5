import { secretPurpose } from '../../network/webhooks/signature.ts';
import { passphrasePurpose, type SealedKind, sealedTexts } from '../../operations/backup/queries.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { vault } from '../../platform/vault.ts';
import { mailerKeyPurpose } from '../account/service.ts';
import { totpPurpose } from '../two-factor/service.ts';

const purposes: Record<SealedKind, (userId: number) => string> = {
  'second factor': totpPurpose,
  'mailer key': mailerKeyPurpose,
  'webhook secret': secretPurpose,
  'backup passphrase': () => passphrasePurpose,
};

/** Says in a sentence what is sealed in a database and not opened by the vault's key; undefined when all of it opens. */
export function findLostSecrets(database: Connection, vaultKey: Buffer | undefined): string | undefined {
  const opening = vaultKey && vault(vaultKey);
  const lost = new Map<SealedKind, number>();
  for (const { kind, user_id, sealed } of sealedTexts(database)) {
    if (opening?.open(sealed, purposes[kind](user_id)) !== undefined) continue;
    lost.set(kind, (lost.get(kind) ?? 0) + 1);
  }
  if (lost.size === 0) return undefined;
  const what = [...lost].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ');
  return vaultKey === undefined
    ? `The vault's key (vault.key) is missing or unreadable, and this is sealed with it: ${what}.`
    : `The vault's key (vault.key) is not the one with which this was sealed: ${what}.`;
}
