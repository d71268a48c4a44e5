/** The normalized URL if it is http(s) and may become a link, else undefined. URLs are untrusted. */
export function safeAddress(text: string): string | undefined {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    return undefined;
  }
  return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : undefined;
}

/** A URL in readable form: `example.com/grün` for `https://example.com/gr%C3%BCn`. Never use it as an href. */
export function readableAddress(text: string): string {
  return decoded(text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''));
}

/** A short URL in readable form, in two parts: what the URLs of a domain have in common, and the alias. */
export function shortUrlParts(shorturl: string): { start: string; alias: string } {
  const name = readableAddress(shorturl);
  const from = name.lastIndexOf('/') + 1;
  return { start: name.slice(0, from), alias: name.slice(from) };
}

/** Decodes percent-encoded letters of all scripts. Invisible and bidirectional control characters stay encoded. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    const plain = decodeURI(text);
    return /[\p{C}\p{Z}]/u.test(plain) ? text : plain;
  } catch {
    // A percent sign that is not an escape sequence.
    return text;
  }
}

/**
 * The http(s) URL if the pasted text is exactly one URL, else undefined. `example.com/x` counts, `hello` does not. Spaces
 * after the host are encoded, as in a browser's address bar: names of shared files are full of them.
 */
export function pastedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 8192) return undefined;
  if (/^https?:\/\//i.test(trimmed))
    return /[^\S ]| https?:/i.test(trimmed) ? undefined : safeAddress(trimmed);
  if (/\s/.test(trimmed)) return undefined;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?([/?#].*)?$/i.test(trimmed)
    ? safeAddress(`https://${trimmed}`)
    : undefined;
}

/** The host (with port, if any) of an origin such as `https://go.example.com`, in the server's format. */
export function hostOf(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Whether an http(s) URL is a loopback address, which works on no other computer. */
export function isOfThisComputer(address: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[/:]|$)/i.test(address);
}
