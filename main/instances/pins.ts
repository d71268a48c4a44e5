import type { PresentedCertificate } from '../../preload/contract.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import { pinnedFetch } from '../requests/pinned-fetch.ts';
import { lookAtCertificate, type Sighting } from '../requests/presented-certificate.ts';
import { Refused } from '../requests/refused.ts';
import { fetchSender } from '../requests/stream-senders.ts';
import type { StreamSender } from '../requests/uploads.ts';
import type { Instances } from './instances.ts';

/** Certificates that the user accepts for servers without one that the system trusts (T-05). */
export interface Pins {
  /**
   * The certificate that the instance presents; null if there is no TLS response. Throws Refused for http addresses.
   */
  look(id: string): Promise<PresentedCertificate | null>;
  /** Pins the certificate last returned by `look`. Throws Refused if the fingerprint is any other. */
  accept(id: string, fingerprint: string): void;
}

export function pins(instances: Pick<Instances, 'findTarget' | 'pin'>, now: () => number): Pins {
  /** The last certificate seen per origin: the page can only accept one that this process has seen. */
  const seen = new Map<string, Sighting>();

  function originOf(id: string): string {
    const target = instances.findTarget(id);
    if (target?.kind !== 'remote') throw new Refused('Instance not found.');
    if (!target.origin.startsWith('https://')) throw new Refused('Only https servers have a certificate.');
    return target.origin;
  }

  return {
    async look(id) {
      const origin = originOf(id);
      const sighting = await lookAtCertificate(origin, now());
      if (!sighting) return null;
      seen.set(origin, sighting);
      const { pem: _, ...presented } = sighting;
      return presented;
    },
    accept(id, fingerprint) {
      const origin = originOf(id);
      const sighting = seen.get(origin);
      if (sighting?.fingerprint !== fingerprint)
        throw new Refused('The certificate has changed. Compare it again.');
      if (sighting.isExpired)
        throw new Refused('This certificate has expired. Renew it on the server first.');
      seen.delete(origin);
      instances.pin(id, sighting.pem);
    },
  };
}

/**
 * A fetcher that uses the pinned certificate for servers that have one, and the system's trust store for all others.
 */
export function remoteFetcher(pinOf: Instances['pinOf'], system: Fetcher): Fetcher {
  return (address, init) => {
    const pin = pinOf(new URL(address).origin);
    return pin === undefined ? system(address, init) : pinnedFetch(pin)(address, init);
  };
}

/** The same for streamed uploads. */
export function remoteSender(pinOf: Instances['pinOf'], system: StreamSender): StreamSender {
  return (address, init) => {
    const pin = pinOf(new URL(address).origin);
    return pin === undefined ? system(address, init) : fetchSender(pinnedFetch(pin))(address, init);
  };
}
