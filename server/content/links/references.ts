import { domainChoice } from '../../identity/plans/domain-choice.ts';
import type { DomainQueries } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { Refusal } from '../../platform/errors.ts';
import { readTarget } from '../../visits/redirects/target.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { UtmWriter } from '../utms/service.ts';
import type { AliasSettingsStore } from './alias-settings.ts';
import { readDestination } from './destination.ts';
import type { References } from './fields.ts';

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
  const isOwn = (url: URL) => isOwnAddress(url) || domains.leadsHere(url.hostname);

  const domainOf = domainChoice({ domains, baseUrl });

  return {
    /** Id of a domain by id, host name or address; null is the instance's own. Throws 400 `unknown_domain`. */
    domainOf,
    allowsSlashes: aliasSettings.allowsSlashes,
    writeUtm,
    /** The same for what had a domain once: null, the instance's own address, where that is the account's no longer. */
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
    /** The same for what may also lead to an address of this instance. Throws 400 `invalid_url`. */
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
    of(userId: number): References {
      return {
        destination: (text, field) => readDestination(text, field, isOwn),
        domain: (reference) => domainOf(reference, userId),
        allowsSlashes: aliasSettings.allowsSlashes,
        utm: (reference, field) => writeUtm(reference, userId, field),
        ownsCampaign: (id) => ownsCampaign.get(id, userId) !== undefined,
        ownsChannel: (id) => channels.isOwned(id, userId),
        ownsPixel: (id) => ownsPixel.get(id, userId) !== undefined,
        ownsType: (type) => {
          const [, prefix, digits] = /^(overlay-)?([1-9]\d{0,14})$/.exec(type) ?? [];
          if (digits === undefined) return false;
          return (prefix ? ownsOverlay : ownsSplash).get(Number(digits), userId) !== undefined;
        },
      };
    },
  };
}

export type LinkReferences = ReturnType<typeof linkReferences>;
