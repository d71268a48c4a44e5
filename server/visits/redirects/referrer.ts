import { hasLongHost } from '../../contract/long-host.ts';
import { noReferrer, noUtm, type Referrer, type Utm } from '../clicks/click.ts';
import { countedWords, type ParameterNames } from '../parameters/own-parameters.ts';

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
    term: parameters.get('utm_term') ?? '',
    content: parameters.get('utm_content') ?? '',
    own: [],
    codes: undefined,
  };
}

/** The marks of a visit: its own UTM values or else those of the link, and what the account counts beside them. */
export function marksOf(query: string, link: Utm, names: ParameterNames): Utm {
  const utm = query.includes('utm_') ? readUtm(query) : link;
  const own = countedWords(names, query);
  return own ? { ...utm, own, codes: undefined } : utm;
}
