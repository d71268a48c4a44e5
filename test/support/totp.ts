import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a secret at a moment (milliseconds), as an authenticator makes it: RFC 6238 with SHA-1 and 6 digits. */
export function totpCode(secret: string, at: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) as number) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A code that is invalid around this time. */
export function wrongCode(secret: string, at: number): string {
  const right = [-60_000, -30_000, 0, 30_000].map((shift) => totpCode(secret, at + shift));
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) as string;
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const symbol of text.replace(/=+$/, '')) bits += alphabet.indexOf(symbol).toString(2).padStart(5, '0');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
