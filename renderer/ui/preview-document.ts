/** How a page looks to visitors: as their system says, or as one of the two. */
export type PreviewScheme = 'light' | 'dark' | 'system';

const darkQuery = /@media\s*\(prefers-color-scheme:\s*dark\)/g;
const bothSchemes = /color-scheme:\s*light dark/g;

/**
 * A page of the server as it can be shown in a frame of ours. Links open in a window that the sandbox does not allow,
 * so a click changes nothing; and the colours are those of `scheme`, because a frame cannot be told what its visitor's
 * system prefers. Only styles are touched: what people wrote is escaped and never stands in one.
 */
export function previewDocument(html: string, scheme: PreviewScheme = 'system'): string {
  const still = html.replace(/<head>/i, '<head><base target="_blank">');
  if (scheme === 'system') return still;
  return still.replace(/<style>[\s\S]*?<\/style>/gi, (style) =>
    style
      .replace(darkQuery, scheme === 'dark' ? '@media all' : '@media not all')
      .replace(bothSchemes, `color-scheme:${scheme}`),
  );
}
