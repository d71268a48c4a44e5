import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainApps } from '../../contract/domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { storedObject } from '../../platform/text/stored-json.ts';

/** What is stored of a domain's apps; null if there are none. */
export function storedApps(apps: DomainApps | null): string | null {
  if (!apps || (apps.apple.length === 0 && apps.android.length === 0)) return null;
  const android = apps.android.map(({ package: name, fingerprints }) => ({
    package: name,
    // Android compares them as upper case.
    fingerprints: [...new Set(fingerprints.map((each) => each.toUpperCase()))],
  }));
  return JSON.stringify({ apple: apps.apple, android });
}

/** The apps of a stored domain. */
export function readApps(json: string | null): DomainApps | null {
  const apps = json === null ? undefined : storedObject<DomainApps>(json);
  return Array.isArray(apps?.apple) && Array.isArray(apps.android) ? apps : null;
}

/**
 * The files with which a domain declares the apps that open its links, generated from its settings; undefined if it
 * has none.
 */
const files: Readonly<Record<string, (apps: DomainApps) => unknown>> = {
  '/.well-known/apple-app-site-association': ({ apple }) =>
    apple.length === 0 ? undefined : appleFile(apple),
  '/.well-known/assetlinks.json': ({ android }) => (android.length === 0 ? undefined : androidFile(android)),
};

/**
 * Answers both files on the domains whose owners named apps, and nothing else. The systems follow no redirect to them
 * and want JSON (Apple, "Supporting associated domains"; Google, "Digital Asset Links").
 */
export function appLinkFiles(database: Connection) {
  const appsOf = database
    .prepare<[string], string | null>('SELECT apps FROM domains WHERE host = ? AND active = 1')
    .pluck();
  return (request: IncomingMessage, response: ServerResponse, host: string): boolean => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const make = Object.hasOwn(files, path) ? files[path] : undefined;
    if (!make || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const apps = readApps(appsOf.get(host) ?? null);
    const content = apps ? make(apps) : undefined;
    if (content === undefined) return false;
    const body = JSON.stringify(content);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

function appleFile(apps: DomainApps['apple']) {
  const details = apps.map(({ id, paths }) => ({ appIDs: [id], components: componentsOf(paths) }));
  return { applinks: { details } };
}

/**
 * The patterns of an app. The first that fits decides (Apple, "applinks.Details.Components"), so those it leaves out
 * come first.
 */
function componentsOf(paths: readonly string[]) {
  const excluded = paths.filter((path) => path.startsWith('!'));
  const opened = paths.filter((path) => !path.startsWith('!'));
  return [
    ...excluded.map((path) => ({ '/': path.slice(1), exclude: true })),
    ...(opened.length === 0 ? ['/*'] : opened).map((path) => ({ '/': path })),
  ];
}

function androidFile(apps: DomainApps['android']) {
  return apps.map(({ package: name, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: fingerprints },
  }));
}
