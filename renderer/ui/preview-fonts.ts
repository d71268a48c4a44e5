/** The app's own font files, as `data:` URLs. */
const files = import.meta.glob<string>(
  '../../node_modules/@fontsource-variable/inter/files/inter-{latin,latin-ext,vietnamese,greek,greek-ext,cyrillic,cyrillic-ext}-wght-normal.woff2',
  { query: '?inline', import: 'default' },
);
const face = /url\(\/assets\/inter-[^()]*?\d-([a-z-]+)\.woff2\)([^{}]*unicode-range:([^{};]+))/g;

/**
 * Embeds the app's font in a server-rendered page, for the desktop app: a frame with an opaque origin cannot fetch the
 * app's files, and the instance is on another host. Only the font subsets that the page needs are embedded. A subset
 * that fails to load is left out; the system font is used instead.
 */
export async function withFonts(html: string): Promise<string> {
  const letters = new Set(html);
  const parts = new Map<string, string>();
  for (const [, part = '', , range = ''] of html.matchAll(face)) {
    if (!holdsAny(range, letters)) continue;
    const load = Object.entries(files).find(([path]) =>
      path.endsWith(`/inter-${part}-wght-normal.woff2`),
    )?.[1];
    const address = await load?.().catch(() => undefined);
    if (address) parts.set(part, address);
  }
  return html.replace(/<style>[\s\S]*?<\/style>/gi, (style) =>
    style.replace(face, (whole, part: string, rest: string) => {
      const address = parts.get(part);
      return address ? `url(${address})${rest}` : whole;
    }),
  );
}

/** Whether a `unicode-range`, such as `U+0000-00FF,U+0131`, contains one of the letters. */
function holdsAny(range: string, letters: ReadonlySet<string>): boolean {
  const spans = range.split(',').map((span) => {
    const [from = '', to = from] = span.trim().slice(2).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
  return [...letters].some((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return spans.some(([from, to]) => code >= from && code <= to);
  });
}
