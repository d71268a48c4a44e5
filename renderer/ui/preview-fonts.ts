/** The same files that the app's own style has. */
const files = import.meta.glob<string>(
  '../../node_modules/@fontsource-variable/inter/files/inter-{latin,latin-ext,vietnamese,greek,greek-ext,cyrillic,cyrillic-ext}-wght-normal.woff2',
  { query: '?url', import: 'default', eager: true },
);
const face = /url\(\/assets\/inter-[^()]*?\d-([a-z-]+)\.woff2\)([^{}]*unicode-range:([^{};]+))/g;
/** What was fetched, as `data:` URLs by the part of the font. */
const fetched = new Map<string, Promise<string>>();

/**
 * A page of the server with the app's own font inside it, for the desktop: a frame without an origin may fetch nothing
 * from the app, and the instance is elsewhere. Only the parts are added that its letters need. A part that cannot be
 * fetched is left out, and the system's font stands in its place.
 */
export async function withFonts(html: string): Promise<string> {
  const letters = new Set(html);
  const parts = new Map<string, string>();
  for (const [, part = '', , range = ''] of html.matchAll(face)) {
    if (!holdsAny(range, letters)) continue;
    const address = await fontOf(part).catch(() => undefined);
    if (address) parts.set(part, address);
  }
  return html.replace(/<style>[\s\S]*?<\/style>/gi, (style) =>
    style.replace(face, (whole, part: string, rest: string) => {
      const address = parts.get(part);
      return address ? `url(${address})${rest}` : whole;
    }),
  );
}

/** Whether a `unicode-range`, such as `U+0000-00FF,U+0131`, has one of the letters. */
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

function fontOf(part: string): Promise<string> {
  const kept = fetched.get(part) ?? fetchFont(part);
  fetched.set(part, kept);
  kept.catch(() => fetched.delete(part));
  return kept;
}

async function fetchFont(part: string): Promise<string> {
  const file = Object.entries(files).find(([path]) => path.endsWith(`/inter-${part}-wght-normal.woff2`));
  if (!file) throw new Error(`The app has no part ${part} of the font.`);
  const bytes = await (await fetch(file[1])).blob();
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([bytes], { type: 'font/woff2' }));
  });
}
