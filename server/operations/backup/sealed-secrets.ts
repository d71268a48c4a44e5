import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { damaged } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** The keys of an instance: the vault key, and the keys and certificates of its domains. */
export interface Secrets {
  /** In base64; null if there is none. */
  vaultKey: string | null;
  /** Files of the `certificates` folder by name: certificates, their keys, account keys, the local authority. */
  certificates: Record<string, string>;
}

const secretsForm = z.object({
  vaultKey: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/)
    .nullable(),
  certificates: z.record(
    z.string().regex(/^[A-Za-z0-9_*-][A-Za-z0-9._*-]{0,250}$/),
    z.string().max(1_000_000),
  ),
});

const sealedForm = z.object({
  kdf: z.literal('scrypt'),
  n: z
    .number()
    .int()
    .min(1024)
    .max(2 ** 18),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(4),
  salt: z.base64().max(200),
  cipher: z.literal('aes-256-gcm'),
  nonce: z.base64().max(100),
  tag: z.base64().max(100),
  body: z.base64(),
});

/** Cost of a guess at the passphrase: 64 MB and about a fifth of a second. */
const cost = { n: 2 ** 16, r: 8, p: 1 };
/** The limits for a backup from elsewhere: twice the memory and four times the work of ours. */
const mostMemory = 2 * cost.n * cost.r;
const mostWork = 4 * cost.n * cost.r * cost.p;
/** Bound to the form, so that a sealed text of another kind never opens here. */
const purpose = Buffer.from('waypost backup secrets v1');

/** Reads the secrets of a data folder. `vaultKey` is the one in use, which may not be a file. */
export function collectSecrets(folder: string, vaultKey: Buffer | undefined): Secrets {
  const certificates: Record<string, string> = {};
  const kept = join(folder, 'certificates');
  if (existsSync(kept)) {
    for (const entry of readdirSync(kept, { withFileTypes: true })) {
      const isWhole = entry.isFile() && !entry.name.endsWith('.new');
      if (isWhole) certificates[entry.name] = readFileSync(join(kept, entry.name), 'utf8');
    }
  }
  return { vaultKey: vaultKey?.toString('base64') ?? null, certificates };
}

/** Puts secrets into a folder under the names that a data folder has. */
export function writeSecrets(folder: string, { vaultKey, certificates }: Secrets): void {
  if (vaultKey !== null) writeFileSync(join(folder, 'vault.key'), `${vaultKey}\n`, { mode: 0o600 });
  const kept = join(folder, 'certificates');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(certificates)) {
    writeFileSync(join(kept, name), content, { mode: 0o600 });
  }
}

/** Seals secrets with a passphrase: scrypt makes the key, AES-256-GCM seals. Returns a JSON document. */
export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const key = await keyOf(passphrase, salt, cost);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(purpose);
  const body = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  return JSON.stringify({
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    body: body.toString('base64'),
  });
}

/**
 * Decrypts the result of `sealSecrets`. Rejects with BackupRefused `passphrase_wrong`, or `backup_damaged` for another
 * format.
 */
export async function openSecrets(document: string, passphrase: string): Promise<Secrets> {
  let sealed: z.output<typeof sealedForm>;
  try {
    sealed = sealedForm.parse(JSON.parse(document));
  } catch {
    throw damaged('its keys cannot be read');
  }
  const { n, r, p } = sealed;
  if (n * r > mostMemory || n * r * p > mostWork) {
    throw damaged('its keys are sealed in a way that takes more memory or time than a backup of ours');
  }
  const key = await keyOf(passphrase, Buffer.from(sealed.salt, 'base64'), sealed);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'), {
    authTagLength: 16,
  });
  let text: string;
  try {
    decipher.setAAD(purpose).setAuthTag(Buffer.from(sealed.tag, 'base64'));
    const body = Buffer.from(sealed.body, 'base64');
    text = Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    // The tag does not match: another passphrase, or changed bytes, which are indistinguishable.
    throw new BackupRefused('passphrase_wrong', 'Wrong backup passphrase.');
  }
  const secrets = secretsForm.safeParse(JSON.parse(text));
  if (!secrets.success) throw damaged('its keys have an unknown form');
  return secrets.data;
}

/** A name of a vault's key that does not give it away. */
export function fingerprintOf(vaultKey: Buffer): string {
  return createHmac('sha256', vaultKey).update('waypost vault key').digest('hex').slice(0, 16);
}

/** Derived in a thread of the pool: this takes a fifth of a second or more. */
function keyOf(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: { n: number; r: number; p: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
