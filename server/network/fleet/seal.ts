import { createCipheriv, createDecipheriv, createHmac, type DecipherGCM, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** The size that is decrypted at once. */
const bytesInTurn = 2 ** 20;

export interface FleetSeal {
  /** Encrypts what goes through the engine; it opens for the same purpose only. */
  seal(body: Uint8Array | string, purpose: string): Uint8Array;
  /** The body; undefined if it was encrypted with another key or for another purpose, or was modified. */
  open(sealed: Uint8Array, purpose: string): Buffer | undefined;
  /** The same for large data, yielding in between. */
  openInTurns(sealed: Uint8Array, purpose: string): Promise<Buffer | undefined>;
  /** A key for one purpose, the same on every machine of the fleet. */
  derive(purpose: string): Buffer;
}

/**
 * Seals everything that a fleet sends through its engine with the fleet's key, which is in join tokens and in no stream
 * (decision 0080): who runs the engine, or writes into it, can neither read nor invent what edges answer.
 */
export function fleetSeal(key: Buffer): FleetSeal {
  return {
    seal(body, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
      const text = Buffer.concat([cipher.update(body), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, purpose) {
      const begun = beginOpening(key, sealed, purpose);
      return begun && finish([begun.decipher.update(begun.text)], begun.decipher);
    },
    async openInTurns(sealed, purpose) {
      const begun = beginOpening(key, sealed, purpose);
      if (!begun) return undefined;
      const { decipher, text } = begun;
      const pieces: Buffer[] = [];
      for (let start = 0; start < text.length; start += bytesInTurn) {
        if (start > 0) await nextTurn();
        pieces.push(decipher.update(text.subarray(start, start + bytesInTurn)));
      }
      return finish(pieces, decipher);
    },
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest(),
  };
}

function beginOpening(key: Buffer, sealed: Uint8Array, purpose: string) {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return { decipher, text: bytes.subarray(nonceBytes + tagBytes) };
}

function finish(pieces: Buffer[], decipher: DecipherGCM): Buffer | undefined {
  try {
    return Buffer.concat([...pieces, decipher.final()]);
  } catch {
    // The tag does not match: another key or purpose, or modified bytes.
    return undefined;
  }
}
