/** Longer text is not treated as an address to shorten. Characters. */
const longest = 8_192;

/** The http(s) address that makes up the whole (untrusted) text, without credentials; undefined for any other text. */
export function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longest || !/^https?:\/\/\S+$/i.test(trimmed) || !URL.canParse(trimmed))
    return undefined;
  const url = new URL(trimmed);
  return url.username || url.password ? undefined : url.href;
}
