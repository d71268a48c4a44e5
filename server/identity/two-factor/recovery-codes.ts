import { createHash, randomBytes } from 'node:crypto';

const count = 10;
const symbols = 16;
/** Without look-alikes. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** Ten codes of 16 symbols (about 79 bits) in groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, newRecoveryCode);
}

/**
 * The stored form of a code, however it is typed: upper case, with or without separators. It is random enough that one
 * round of SHA-256 cannot be brute-forced.
 */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256')
    .update(grouped(code.toLowerCase().replace(/[^a-z\d]/g, '')))
    .digest();
}

function newRecoveryCode(): string {
  let code = '';
  while (code.length < symbols) {
    for (const byte of randomBytes(symbols)) {
      // Bytes above the last multiple would make the first symbols more frequent.
      if (byte < 256 - (256 % alphabet.length) && code.length < symbols) {
        code += alphabet[byte % alphabet.length];
      }
    }
  }
  return grouped(code);
}

/** In groups of four. */
function grouped(code: string): string {
  return code.replace(/(.{4})(?=.)/g, '$1-');
}
