import { hasLongHost } from '../../contract/long-host.ts';
import { noReferrer, noUtm, type Referrer, type Utm } from '../clicks/click.ts';
import { countedValues, type ParameterNames } from '../parameters/own-parameters.ts';

/** Host without `www.` and path of a Referer header; apps send `android-app://` URLs. */
export function readReferrer(header: string): Referrer {
  const url = hasLongHost(header) ? null : URL.parse(header);
  if (!url || !/^(https?|android-app):$/.test(url.protocol)) return { ...noReferrer };
  const host = url.host.toLowerCase().replace(/^www\./, '');
  return { host, path: url.pathname === '/' ? '' : url.pathname, codes: undefined, tokens: undefined };
}

/** The UTM values in the query of a URL, `noUtm` if it has none. */
export function readUtm(query: string): Utm {
  if (!query.includes('utm_')) return noUtm;
  const parameters = new URLSearchParams(query);
  return {
    source: parameters.get('utm_source') ?? '',
    medium: parameters.get('utm_medium') ?? '',
    campaign: parameters.get('utm_campaign') ?? '',
    term: parameters.get('utm_term') ?? '',
    content: parameters.get('utm_content') ?? '',
    own: [],
    codes: undefined,
  };
}

/** The UTM values of a visit or else of its link, and the other parameters that the account counts. */
export function clickUtmOf(query: string, link: Utm, names: ParameterNames): Utm {
  const utm = query.includes('utm_') ? readUtm(query) : link;
  const own = countedValues(names, query);
  return own ? { ...utm, own, codes: undefined } : utm;
}
