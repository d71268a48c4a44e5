import { createHash } from 'node:crypto';
import { styleSource } from './layout.ts';

/** What a page of a link needs beyond text. Empty lists allow nothing. */
export interface TypePageNeeds {
  /** Styles of this page alone, as they are in it. */
  styles: readonly string[];
  images: readonly string[];
  scripts: readonly string[];
  connections: readonly string[];
  /** Whether it shows the destination in a frame. */
  frames: boolean;
  /** Whether it has a form that is sent to this server. */
  forms?: boolean;
  /** Whether the host also answers /admin and /api, or has pages of other accounts. */
  isShared: boolean;
}

/**
 * The policy of a page of a link. On a host that is shared it is sandboxed without `allow-same-origin`, so that it
 * shares no origin with the admin pages or pages of others (decision 0033). `allow-scripts` lets the page go on by
 * itself, too: without it a browser ignores the refresh. The page's own scripts still need to be on the list.
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
    // A redirect of the destination is held against this list too.
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
