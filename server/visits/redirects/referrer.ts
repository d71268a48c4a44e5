import { hasLongHost } from '../../contract/long-host.ts';
import { noReferrer, noUtm, type Referrer, type Utm } from '../clicks/click.ts';

/** Host without `www.` and path of a Referer header; apps have `android-app://` addresses. */
export function readReferrer(header: string): Referrer {
  const url = hasLongHost(header) ? null : URL.parse(header);
  if (!url || !/^(https?|android-app):$/.test(url.protocol)) return { ...noReferrer };
  const host = url.host.toLowerCase().replace(/^www\./, '');
  return { host, path: url.pathname === '/' ? '' : url.pathname, codes: undefined, tokens: undefined };
}

/** The campaign marks in the query of an address, `noUtm` when it has none. */
export function readUtm(query: string): Utm {
  if (!query.includes('utm_')) return noUtm;
  const parameters = new URLSearchParams(query);
  return {
    source: parameters.get('utm_source') ?? '',
    medium: parameters.get('utm_medium') ?? '',
    campaign: parameters.get('utm_campaign') ?? '',
    codes: undefined,
  };
}
