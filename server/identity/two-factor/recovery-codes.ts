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
 * What is stored of a code, however somebody types it from paper: in capitals, with spaces, or with nothing between its
 * groups. It is random enough that one round of SHA-256 cannot be searched through.
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
      // A byte beyond the last whole multiple would make the first symbols more frequent.
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
