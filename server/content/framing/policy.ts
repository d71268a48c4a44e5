import type { Looked } from '../../platform/fetcher/fetcher.ts';

/** What of a page's headers forbids a frame; undefined when nothing does. */
export type Obstacle = 'x-frame-options' | 'frame-ancestors';

/**
 * What keeps a page from being framed by `embedder` (an origin; 'null' is an opaque one, like our sandboxed pages).
 * All policies' `frame-ancestors` must allow it, and if there are any, X-Frame-Options is ignored (CSP Level 3,
 * section 6.4.2; HTML, "The X-Frame-Options header").
 */
export function obstacleTo(
  { url, headers }: Pick<Looked, 'url' | 'headers'>,
  embedder: string,
): Obstacle | undefined {
  const lists = ancestorLists(headers['content-security-policy']);
  if (lists.length > 0) {
    return lists.every((list) => list.some((source) => allows(source, embedder, url)))
      ? undefined
      : 'frame-ancestors';
  }
  return forbidsByOption(headers['x-frame-options'], embedder, url) ? 'x-frame-options' : undefined;
}

/** The sources of each `frame-ancestors` directive; the first of a policy counts. */
function ancestorLists(header: string | string[] | undefined): string[][] {
  const policies = [header ?? []].flat().flatMap((text) => text.split(','));
  return policies.flatMap((policy) => {
    const directives = policy.split(';').map((text) => text.trim().split(/\s+/));
    const found = directives.find(([name]) => name?.toLowerCase() === 'frame-ancestors');
    return found ? [found.slice(1)] : [];
  });
}

function forbidsByOption(header: string | string[] | undefined, embedder: string, url: URL): boolean {
  const values = new Set(
    [header ?? []]
      .flat()
      .flatMap((text) => text.split(','))
      .map((text) => text.trim().toLowerCase())
      .filter((text) => text !== ''),
  );
  const known = ['deny', 'sameorigin', 'allowall'].filter((value) => values.has(value));
  // Several that disagree are read as `deny`; a single unknown one as nothing.
  if (values.size > 1) return known.length > 0;
  if (values.has('deny')) return true;
  return values.has('sameorigin') && embedder !== url.origin;
}

/** Whether a source expression matches an origin. A sandboxed page is matched by none, not even by `*`. */
function allows(source: string, embedder: string, self: URL): boolean {
  const origin = URL.parse(embedder);
  if (!origin || !/^https?:$/.test(origin.protocol)) return false;
  const text = source.toLowerCase();
  if (text === "'self'") return origin.origin === self.origin;
  if (text === '*') return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return schemeFits(text, origin);
  const [, scheme, host = '', port] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(
      text,
    ) ?? [];
  return (
    host !== '' &&
    schemeFits(scheme ?? self.protocol, origin) &&
    hostFits(host, origin) &&
    portFits(port, origin)
  );
}

/** What is allowed over http is also allowed over https. */
function schemeFits(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:');
}

function hostFits(host: string, { hostname }: URL): boolean {
  if (host === '*') return true;
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname;
}

function portFits(port: string | undefined, origin: URL): boolean {
  if (port === '*') return true;
  const usual = origin.protocol === 'https:' ? '443' : '80';
  const actual = origin.port || usual;
  if (port === undefined) return actual === usual;
  return port === actual || (port === '80' && actual === '443');
}
