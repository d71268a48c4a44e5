import type { Settings } from '../../contract/settings.ts';
import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { isInRanges, networkOf } from '../../platform/http/addresses.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import { readUserAgent, type UserAgent } from '../../platform/text/user-agent.ts';
import { noReferrer, type Referrer } from '../clicks/click.ts';
import { dayMs } from '../clicks/dimensions.ts';
import { countsSignedIn, isKept, type Omissions, omissionsOf } from '../clicks/omissions.ts';
import type { VisitorHashes } from '../clicks/visitor-salt.ts';
import { asksNotToCount } from './destinations.ts';
import type { Geolocation } from './geolocation.ts';
import type { VisitHeaders } from './header-lines.ts';
import type { KnownVisitor } from './known-visitor.ts';
import { readReferrer } from './referrer.ts';

export interface Visitors {
  find(address: string, userAgent: string, acceptLanguage: string, at: number): KnownVisitor;
  /** Identifies senders of forms for a day, by network: otherwise a /64 could answer a poll from each address. */
  senderOf(address: string, userAgent: string, at: number): string;
  findReferrer(header: string): Referrer;
  /**
   * Whether a visit is recorded: not if nothing is stored, not from excluded IP addresses or an excluded browser, not
   * with `?notrack`, not from signed-in users if these are excluded, and not with a Do Not Track header if the
   * instance respects it (`privacy.doNotTrack`). It is answered like any other.
   */
  isCounted(visitor: KnownVisitor, headers: VisitHeaders, query: string, omissions: Omissions): boolean;
  /**
   * The visit data that is not stored for an account, by its own or the instance's settings, whichever is stricter.
   */
  omissions(userId: number | null): Omissions;
  /** The visitor's address if the instance stores addresses (`privacy.storeAddresses`), else null. */
  storedAddress(visitor: KnownVisitor): string | null;
  /** Clears the visitor cache after a setting changed. */
  forget(): void;
}

/** The instance's settings for visitors. */
export type VisitorPrivacy = Readonly<Settings['privacy']>;

interface Options {
  hashes: VisitorHashes;
  geolocation: Geolocation;
  privacy: () => VisitorPrivacy;
  /** An account's choices in addition to the instance's. */
  accountPrivacy: (userId: number) => Omissions;
}

/** Headers are truncated before use as a cache key: limiting only the number of entries would not limit memory. */
const longestHeader = 512;
const remembered = 4096;

/** A browser, which many visitors use. */
interface Browser {
  readonly agent: UserAgent;
  /** Stands for the user agent in keys, which would otherwise be long texts to join and compare for every click. */
  readonly number: number;
}

/**
 * Determines each visitor once, not once per click, and each user agent once, not once per visitor: reading one takes as
 * long as the rest of a redirect.
 */
export function visitors({ hashes, geolocation, privacy, accountPrivacy }: Options): Visitors {
  const known = boundedCache<string, KnownVisitor>(remembered);
  const browsers = boundedCache<string, Browser>(remembered);
  let browsersRead = 0;
  const referrers = boundedCache<string, Referrer>(remembered);
  let currentDay = -1;

  function readBrowser(agent: string): Browser {
    browsersRead += 1;
    const read = { agent: readUserAgent(agent), number: browsersRead };
    browsers.set(agent, read);
    return read;
  }

  return {
    find(address, userAgent, acceptLanguage, at) {
      const day = hashes.day(at);
      if (day !== currentDay) {
        known.clear();
        currentDay = day;
      }
      const agent = cut(userAgent);
      const used = browsers.get(agent) ?? readBrowser(agent);
      const key = `${used.number} ${address} ${cut(acceptLanguage)}`;
      const found = known.get(key);
      if (found) return found;
      const { bot, previewBot, browser, os, device, devices, inApp } = used.agent;
      const languages = readLanguages(acceptLanguage);
      const visitor: KnownVisitor = {
        ...geolocation.find(address),
        hash: hashes.of(address, agent, at),
        bot,
        browser,
        os,
        device,
        language: languages[0]?.split('-', 1)[0] ?? '',
        codes: undefined,
        address,
        devices,
        languages,
        previewBot,
        inApp,
        uncounted: isInRanges(address, privacy().uncountedAddresses),
        tokens: undefined,
      };
      known.set(key, visitor);
      return visitor;
    },
    senderOf: (address, userAgent, at) =>
      `${Math.floor(at / dayMs)} ${hashes.of(networkOf(address), cut(userAgent), at)}`,
    findReferrer(header) {
      if (header === '') return noReferrer;
      const text = header.length > 2048 ? header.slice(0, 2048) : header;
      const found = referrers.get(text);
      if (found) return found;
      const referrer = readReferrer(text);
      referrers.set(text, referrer);
      return referrer;
    },
    isCounted(visitor, headers, query, omissions) {
      if (visitor.uncounted || headers.isLeftOut || !isKept(omissions) || asksNotToCount(query)) return false;
      if (headers.isSignedIn && !countsSignedIn(omissions)) return false;
      return !(headers.asksNotToBeTracked && privacy().doNotTrack);
    },
    omissions: (userId) => omissionsOf(privacy()) | (userId === null ? 0 : accountPrivacy(userId)),
    storedAddress: ({ address }) => (privacy().storeAddresses ? address : null),
    forget: () => known.clear(),
  };
}

function cut(header: string): string {
  return header.length > longestHeader ? header.slice(0, longestHeader) : header;
}
