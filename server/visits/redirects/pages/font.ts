const folder = '../../../../node_modules/@fontsource-variable/inter';
// Bundled, so that every machine that serves public pages has them.
const files = import.meta.glob<string>(
  '../../../../node_modules/@fontsource-variable/inter/files/inter-{latin,latin-ext,vietnamese,greek,greek-ext,cyrillic,cyrillic-ext}-wght-normal.woff2',
  { query: '?inline', import: 'default' },
);
const [ranges = {}] = Object.values(
  import.meta.glob<Record<string, string>>(
    '../../../../node_modules/@fontsource-variable/inter/unicode.json',
    { import: 'default', eager: true },
  ),
);
const [version = ''] = Object.values(
  import.meta.glob<string>('../../../../node_modules/@fontsource-variable/inter/package.json', {
    import: 'version',
    eager: true,
  }),
);

/** The common path prefix of all versions and parts of the font. */
export const fontPrefix = '/assets/inter-';

/** The path of a part of the font. It contains the version, so it can be cached forever. */
const pathOf = (part: string) => `${fontPrefix}${version}-${part}.woff2`;

/** The parts of the font by their paths. */
const parts = new Map(
  Object.keys(ranges).flatMap((part) => {
    const load = files[`${folder}/files/inter-${part}-wght-normal.woff2`];
    return load ? [[pathOf(part), load] as const] : [];
  }),
);

/**
 * The app's font, as CSS for a page; a browser requests the parts that the page's characters need. The text is
 * visible at once, in a system font until then. The page's policy needs `font-src 'self'`.
 */
export const fontFaces = Object.entries(ranges)
  .map(
    ([part, range]) =>
      `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url(${pathOf(part)}) format("woff2");unicode-range:${range}}`,
  )
  .join('\n');

/** The app's font stack. */
export const fontFamily =
  '"Inter Variable",ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** Whether a path belongs to a part of the font. */
export function isFontPath(path: string): boolean {
  return parts.has(path);
}

/** The file of a part of the font (WOFF 2), by its path. */
export async function fontFile(path: string): Promise<Buffer> {
  const address = (await parts.get(path)?.()) ?? '';
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}
