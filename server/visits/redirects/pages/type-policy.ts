import { createHash } from 'node:crypto';
import { styleSource } from './layout.ts';

/** What a link's page needs besides text. Empty lists allow nothing. */
export interface TypePageNeeds {
  /** Styles that only this page has, exactly as in its source. */
  styles: readonly string[];
  images: readonly string[];
  scripts: readonly string[];
  connections: readonly string[];
  /** Whether it shows the destination in a frame. */
  frames: boolean;
  /** Whether it has a form that submits to this server. */
  forms?: boolean;
  /** Whether the host also serves /admin and /api, or pages of other accounts. */
  isShared: boolean;
}

/**
 * The policy of a link's page. On a shared host it is sandboxed without `allow-same-origin`, so that it
 * does not share an origin with admin pages or pages of others (decision 0033). `allow-scripts` also permits the
 * automatic redirect: without it a browser ignores the refresh. The page's scripts must still be listed.
 */
export function typePolicy(needs: TypePageNeeds): string {
  const styles = [styleSource, ...needs.styles.map((style) => `'sha256-${hash(style)}'`)];
  const policy = [
    "default-src 'none'",
    `style-src ${styles.join(' ')}`,
    "font-src 'self'",
    `img-src ${listOf(needs.images)}`,
    `script-src ${listOf(needs.scripts)}`,
    `connect-src ${listOf(needs.connections)}`,
    // This list applies to redirects of the destination too.
    `frame-src ${needs.frames ? 'https: http:' : "'none'"}`,
    `form-action ${needs.forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const framed =
    'allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-top-navigation-by-user-activation';
  if (needs.isShared) policy.push(`sandbox allow-scripts${needs.frames ? ` ${framed}` : ''}`);
  return policy.join('; ');
}

function listOf(sources: readonly string[]): string {
  return sources.length === 0 ? "'none'" : [...new Set(sources)].join(' ');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
