/**
 * A unique, unguessable id. Not `crypto.randomUUID`, which requires a secure context: the page may be served over plain
 * HTTP by a server shared on the LAN.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
