import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { type ParameterNames, readNames } from '../parameters/own-parameters.ts';
import { safeDestination } from './destinations.ts';
import { type LinkRecord, readLink } from './link-record.ts';
import type { Brand } from './pages/brand.ts';
import type { DomainRow, RedirectQueries } from './queries.ts';
import { readTarget } from './target.ts';

/** The domain of a link. */
export interface Domain {
  /** 0 is the instance's own host. */
  id: number;
  /** Its owner; null if it belongs to the instance. */
  userId: number | null;
  redirectRoot: string | null;
  redirect404: string | null;
  /** Undefined if the domain has no pictures. */
  brand?: Brand;
  /** The bio page that the bare domain shows. */
  bioId: number | null;
  /**
   * Whether user pages share the host with others: with the admin pages on the instance's own host, with pages of
   * other accounts on a platform domain. They are sandboxed there (decision 0033).
   */
  isShared: boolean;
}

export interface LinkLookup {
  /** The domain of a lower-case host; undefined if it is not ours. */
  findDomain(host: string): Domain | undefined;
  findLink(domainId: number, alias: string): LinkRecord | undefined;
  /** The data of visits to an account that is not stored (`clicks/omissions.ts`). */
  privacyOf(userId: number): number;
  /** The names of the query parameters that an account counts. */
  parametersOf(userId: number): ParameterNames;
  /** A stored URL in the form sent to browsers; undefined if it must not be sent (T-19). */
  safeRedirectUrl(text: string): string | undefined;
  /**
   * The same for a redirect of a missing or ended link. Undefined for URLs on this instance: the target domain may
   * have been added after the URL was stored, and two domains that redirect to each other would be a loop.
   */
  safeFallbackUrl(text: string): string | undefined;
  /** Whether another connection has committed since the last call; what it changed is then evicted. */
  refresh(): boolean;
}

interface Options {
  queries: RedirectQueries;
  /** Whether a host is the instance's own; its links are those without a domain. */
  isOwnHost: (host: string) => boolean;
  /** Whether a URL's host (with its port) is the instance's own. */
  isOwnAddress: (url: URL) => boolean;
  /** A text that changes whenever these answers may change without a change in the database. */
  ownPlace: () => string;
}

const ownDomain: Domain = {
  id: 0,
  userId: null,
  redirectRoot: null,
  redirect404: null,
  bioId: null,
  isShared: true,
};
/** A placeholder for the domain of a URL on another server. */
const notOurs = -1;
/** Changed links that are evicted one by one, at once and in total, before everything is evicted. */
const mostChanges = 200;
const mostChanged = 10_000;
/** Entries per generation of links; a simple link takes about a kilobyte, one with rules counts as several. */
const rememberedLinks = 24_576;

/** A cached link. */
interface Remembered {
  readonly link: LinkRecord;
  /** The number of other connections' commits when it was read. */
  readonly readAt: number;
  /** Whether it leads to this instance: its response then depends on the target. */
  readonly leadsHome: boolean;
}

/**
 * Looks up domains and links by name, cached if possible. It needs no notification of changes: SQLite's `data_version`
 * shows that another connection has committed, and triggers record what changed, whoever writes.
 */
export function linkLookup({ queries, isOwnHost, isOwnAddress, ownPlace }: Options): LinkLookup {
  const domains = boundedCache<string, Domain>(1024);
  const links = boundedCache<string, Remembered>(rememberedLinks, ({ link }) => link.weight);
  const sites = boundedCache<string, number>(4096);
  const privacies = boundedCache<number, number>(4096);
  const parameters = boundedCache<number, ParameterNames>(4096);
  /** Changed links, each with the commit at which the change was seen. */
  const changed = new Map<number, number>();
  let version = queries.version();
  let newest = queries.newestChange();
  let commits = 0;
  let place = ownPlace();
  /** Whether a URL of the link being read is on this instance. */
  let leadsHome = false;

  function findDomain(host: string): Domain | undefined {
    const known = domains.get(host);
    if (known) return known;
    const domain = isOwnHost(host) ? ownDomain : brandedDomain(host);
    // Unknown hosts are not cached: anyone can send any number of them.
    if (domain) domains.set(host, domain);
    return domain;
  }

  function brandedDomain(host: string): Domain | undefined {
    const row = queries.findDomain(host);
    return row && readDomain(row);
  }

  function findLink(domainId: number, alias: string): LinkRecord | undefined {
    // No alias begins with a slash.
    const name = domainId === 0 ? alias : `/${domainId}/${alias}`;
    const known = links.get(name);
    if (known && isCurrent(known)) return known.link;
    const row = queries.findLink(domainId, alias);
    if (!row) {
      links.delete(name);
      return undefined;
    }
    leadsHome = false;
    const link = readLink(row, { safeRedirectUrl, safeFallbackUrl }, () => queries.fallbacks(domainId));
    links.set(name, { link, readAt: commits, leadsHome });
    return link;
  }

  function isCurrent({ link, readAt, leadsHome }: Remembered): boolean {
    if (readAt === commits) return true;
    return !leadsHome && (changed.size === 0 || readAt >= (changed.get(link.id) ?? 0));
  }

  function forgetAll(): void {
    links.clear();
    privacies.clear();
    parameters.clear();
    changed.clear();
    newest = queries.newestChange();
  }

  function forgetChanged(): void {
    const changes = queries.changesAfter(newest, mostChanges);
    const isGap = changes.some(([seq], index) => seq !== newest + index + 1);
    const isMore = changes.length === mostChanges || changed.size > mostChanged;
    if (isGap || isMore || changes.some(([, linkId]) => linkId === 0)) {
      forgetAll();
      return;
    }
    for (const [seq, linkId] of changes) {
      changed.set(linkId, commits);
      newest = seq;
    }
  }

  function safeRedirectUrl(text: string): string | undefined {
    const url = safeDestination(text);
    return url && !isRedirectLoop(url) ? url.href : undefined;
  }

  function safeFallbackUrl(text: string): string | undefined {
    const url = safeDestination(text);
    return url && domainIdOf(url) === notOurs ? url.href : undefined;
  }

  /** A link may point to another of ours, but not to one that points to one of ours again. */
  function isRedirectLoop(url: URL): boolean {
    const next = ownLinkAt(url);
    const afterNext = next && URL.parse(next.url);
    return afterNext ? ownLinkAt(afterNext) !== undefined : false;
  }

  function ownLinkAt(url: URL) {
    const domainId = domainIdOf(url);
    if (domainId === notOurs) return undefined;
    leadsHome = true;
    const target = readTarget(url.pathname);
    return target ? queries.findLink(domainId, target.alias) : undefined;
  }

  /** The domain of a URL. Many links lead to few sites, so the result is cached per site. */
  function domainIdOf(url: URL): number {
    const known = sites.get(url.origin);
    if (known !== undefined) return known;
    const id = isOwnAddress(url) ? ownDomain.id : (queries.findDomain(url.hostname)?.id ?? notOurs);
    sites.set(url.origin, id);
    return id;
  }

  function privacyOf(userId: number): number {
    const known = privacies.get(userId);
    if (known !== undefined) return known;
    const privacy = queries.privacy(userId);
    privacies.set(userId, privacy);
    return privacy;
  }

  function parametersOf(userId: number): ParameterNames {
    const known = parameters.get(userId);
    if (known !== undefined) return known;
    const names = readNames(queries.parameters(userId));
    parameters.set(userId, names);
    return names;
  }

  return {
    findDomain,
    privacyOf,
    parametersOf,
    findLink,
    safeRedirectUrl,
    safeFallbackUrl,
    refresh() {
      const current = queries.version();
      const currentPlace = ownPlace();
      const isElsewhere = currentPlace !== place;
      const isCommit = current !== version;
      if (!isCommit && !isElsewhere) return false;
      version = current;
      place = currentPlace;
      commits += 1;
      domains.clear();
      sites.clear();
      // Which links lead to this instance may change then.
      if (isElsewhere) forgetAll();
      else forgetChanged();
      return isCommit;
    },
  };
}

function readDomain(row: DomainRow): Domain {
  const { id, redirect_root, redirect_404, bio_id, host, logo, favicon } = row;
  const domain = {
    id,
    userId: row.user_id,
    redirectRoot: redirect_root,
    redirect404: redirect_404,
    bioId: bio_id,
    isShared: row.user_id === null,
  };
  const hasRoot = redirect_root !== null || bio_id !== null;
  if (logo === null && favicon === null && !hasRoot) return domain;
  return {
    ...domain,
    brand: { name: host, logo: picturePath(logo), favicon: picturePath(favicon), hasRoot },
  };
}

function picturePath(name: string | null): string | null {
  return name === null ? null : `/img/domain/${name}`;
}
