import type { Authored } from '../../contract/roles.ts';
import { domainChoice } from '../../identity/plans/domain-choice.ts';
import type { DomainQueries } from '../../identity/plans/usable-domains.ts';
import { creators } from '../../platform/database/authorship.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { Refusal } from '../../platform/errors.ts';
import type { MemberOf } from '../../platform/http/caller.ts';
import { storedList } from '../../platform/text/stored-json.ts';
import { readTarget } from '../../visits/redirects/target.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { UtmWriter } from '../utms/service.ts';
import type { AliasSettingsStore } from './alias-settings.ts';
import { readDestination } from './destination.ts';
import type { References } from './fields.ts';
import type { LinkRow } from './queries.ts';

interface Options {
  database: Connection;
  channels: ChannelQueries;
  aliasSettings: Pick<AliasSettingsStore, 'allowsSlashes'>;
  writeUtm: UtmWriter;
  domains: DomainQueries;
  /** Whether an address is one of the instance's own, so that a link to it would go round in circles. */
  isOwnAddress: (url: URL) => boolean;
  baseUrl: () => string;
}

/** What a link already refers to: editors may keep that, even if they may not see it. */
type Kept = Pick<LinkRow, 'campaign_id' | 'channels' | 'pixels' | 'type'>;

/** Looks up what the fields of a link refer to, for one account at a time. */
export function linkReferences({
  database,
  channels,
  aliasSettings,
  writeUtm,
  domains,
  isOwnAddress,
  baseUrl,
}: Options) {
  const ownsCampaign = database.prepare<[number, number], unknown>(
    'SELECT 1 FROM campaigns WHERE id = ? AND user_id = ? AND leaving = 0',
  );
  const ownsPixel = database.prepare<[number, number], unknown>(
    'SELECT 1 FROM pixels WHERE id = ? AND user_id = ? AND leaving = 0',
  );
  const ownsOverlay = database.prepare<[number, number], unknown>(
    'SELECT 1 FROM overlays WHERE id = ? AND user_id = ? AND leaving = 0',
  );
  const ownsSplash = database.prepare<[number, number], unknown>(
    'SELECT 1 FROM splash_pages WHERE id = ? AND user_id = ? AND leaving = 0',
  );
  const { creatorOf } = creators(database);
  const isOwn = (url: URL) => isOwnAddress(url) || domains.leadsHere(url.hostname);

  const domainOf = domainChoice({ domains, baseUrl });

  /** Whether a member sees a record of the account: `own_only` hides what others created (decision 0066). */
  function sees({ user, ownOnly, person }: MemberOf, resource: Authored, id: number): boolean {
    return !ownOnly || creatorOf(resource, id, user.id) === person?.user.id;
  }

  return {
    /** Id of a domain by id, host name or address; null is the instance's own. Throws 400 `unknown_domain`. */
    domainOf,
    allowsSlashes: aliasSettings.allowsSlashes,
    writeUtm,
    /**
     * The same for a domain reference: null, the instance's own host, if the domain no longer belongs to the account.
     */
    domainIfThere(host: string | null, userId: number): number | null {
      if (host === null) return null;
      try {
        return domainOf(host, userId);
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    readDestination: (text: string, field: string): string => readDestination(text, field, isOwn),
    /** The same for URLs that may also be on this instance. Throws 400 `invalid_url`. */
    readAddress: (text: string, field: string): string => readDestination(text, field, () => false),
    /** The short address that a URL is, on a domain that the account uses; `domainId` null is the instance's own. */
    ownAddress(text: string, userId: number): { domainId: number | null; alias: string } | undefined {
      const url = URL.parse(text);
      if (url === null || url.search !== '' || url.hash !== '') return undefined;
      const alias = readTarget(url.pathname)?.alias;
      if (!alias) return undefined;
      if (isOwnAddress(url)) return { domainId: null, alias };
      const domain = domains.findUsableByHost(url.hostname, userId);
      return domain && { domainId: domain.id, alias };
    },
    /** Whether a URL is that of one of the account's domains, without a path: it does not lead to a short link. */
    isBareDomain(text: string, userId: number): boolean {
      const url = URL.parse(text);
      if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '') return false;
      return domains.findUsableByHost(url.hostname, userId) !== undefined;
    },
    sees,
    /** The references that fields may have; those of `kept` stay. */
    of(account: MemberOf, kept?: Kept): References {
      const userId = account.user.id;
      const mayName = (resource: Authored, id: number, isKept: () => boolean) =>
        sees(account, resource, id) || isKept();
      const has = (json: string | undefined, id: number) =>
        storedList<number>(json ?? '[]', 'number').includes(id);
      return {
        destination: (text, field) => readDestination(text, field, isOwn),
        domain: (reference) => domainOf(reference, userId),
        allowsSlashes: aliasSettings.allowsSlashes,
        utm: (reference, field) => writeUtm(reference, userId, field),
        ownsCampaign: (id) =>
          ownsCampaign.get(id, userId) !== undefined &&
          mayName('campaigns', id, () => id === kept?.campaign_id),
        ownsChannel: (id) =>
          channels.isOwned(id, userId) && mayName('channels', id, () => has(kept?.channels, id)),
        ownsPixel: (id) =>
          ownsPixel.get(id, userId) !== undefined && mayName('pixels', id, () => has(kept?.pixels, id)),
        ownsType(type) {
          const [, prefix, digits] = /^(overlay-)?([1-9]\d{0,14})$/.exec(type) ?? [];
          if (digits === undefined) return false;
          const id = Number(digits);
          const isThere = (prefix ? ownsOverlay : ownsSplash).get(id, userId) !== undefined;
          return isThere && mayName(prefix ? 'overlays' : 'splash', id, () => type === kept?.type);
        },
      };
    },
  };
}

export type LinkReferences = ReturnType<typeof linkReferences>;
