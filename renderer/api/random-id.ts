/**
 * An id that nobody guesses and nothing else has. Not `crypto.randomUUID`, which is missing where the page came over
 * plain HTTP, as from a server that is shared in the network.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
