/** The address when it is a plain http(s) one that may become a link, else undefined. Addresses are hostile text. */
export function safeAddress(text: string): string | undefined {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    return undefined;
  }
  return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : undefined;
}

/** An address as people read it: `example.com/grün` for `https://example.com/gr%C3%BCn`. Never for an href. */
export function readableAddress(text: string): string {
  return decoded(text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''));
}

/** Letters of all scripts as letters. What would be invisible, or turn the line around, stays encoded. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    const plain = decodeURI(text);
    return /[\p{C}\p{Z}]/u.test(plain) ? text : plain;
  } catch {
    // A percent sign that encodes nothing.
    return text;
  }
}

/** The one http(s) address that a pasted text consists of, else undefined. `example.com/x` counts, `hello` does not. */
export function pastedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 8192 || /\s/.test(trimmed)) return undefined;
  if (/^https?:\/\//i.test(trimmed)) return safeAddress(trimmed);
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?([/?#].*)?$/i.test(trimmed)
    ? safeAddress(`https://${trimmed}`)
    : undefined;
}

/** The host, with its port if there is one, of an address such as `https://go.example.com`, as the server knows it. */
export function hostOf(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/**
 * Whether an http(s) address leads to the very computer that opens it, so that it is of no use to anybody elsewhere.
 */
export function isOfThisComputer(address: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[/:]|$)/i.test(address);
}
