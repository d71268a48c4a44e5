import { domainToASCII } from 'node:url';
import { rejected } from '../../platform/errors.ts';
import type { DomainQueries } from './usable-domains.ts';

interface Options {
  domains: Pick<DomainQueries, 'findUsable' | 'findUsableByHost'>;
  baseUrl: () => string;
}

/**
 * Reads which domain an account chose, by id, host name or address: its id, or null for the instance's own address.
 * What it returns throws 400 `unknown_domain`.
 */
export function domainChoice({ domains, baseUrl }: Options) {
  function byHost(text: string, userId: number) {
    const bare = text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '');
    if (bare.toLowerCase() === new URL(baseUrl()).host) return 'own' as const;
    const host = domainToASCII(bare);
    return host === '' ? undefined : domains.findUsableByHost(host, userId);
  }

  return (reference: number | string, userId: number): number | null => {
    if (typeof reference === 'string' && reference.replace(/\/$/, '') === baseUrl()) return null;
    const id =
      typeof reference === 'number'
        ? reference
        : /^[1-9]\d{0,14}$/.test(reference)
          ? Number(reference)
          : undefined;
    const found = id === undefined ? byHost(String(reference), userId) : domains.findUsable(id, userId);
    if (found === 'own') return null;
    if (!found) throw rejected('unknown_domain', 'domain', 'This is not one of your domains.');
    return found.id;
  };
}
