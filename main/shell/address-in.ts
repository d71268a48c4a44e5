/** Text beyond this is no address that somebody copied to shorten it. */
const longest = 8_192;

/** The one http(s) address that a text consists of, without credentials, or undefined. The text is a stranger's. */
export function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longest || !/^https?:\/\/\S+$/i.test(trimmed) || !URL.canParse(trimmed))
    return undefined;
  const url = new URL(trimmed);
  return url.username || url.password ? undefined : url.href;
}
