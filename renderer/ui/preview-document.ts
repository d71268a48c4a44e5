/** The color scheme of the previewed page: fixed, or the system's. */
export type PreviewScheme = 'light' | 'dark' | 'system';

const darkQuery = /@media\s*\(prefers-color-scheme:\s*dark\)/g;
const bothSchemes = /color-scheme:\s*light dark/g;

/**
 * Prepares a server-rendered page for a sandboxed frame. Links target a new window, which the sandbox blocks, so clicks
 * do nothing. `scheme` is applied by rewriting the styles, because a frame's `prefers-color-scheme` cannot be set. Only
 * `<style>` elements are changed: user content is escaped and never part of one.
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
