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

/** An address as people read it: `example.com/path` for `https://example.com/path`. Never for an href. */
export function readableAddress(text: string): string {
  return text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
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
