import { addressIn } from './address-in.ts';

/** The scheme that the system brings to this app. */
export const deepLinkScheme = 'waypost';

/**
 * What a `waypost://` address asks for: `waypost://new?url=https://…` offers to shorten an address. Any page in any
 * browser can open such an address, so it can only ask, and a person has to say yes: nothing is made or changed by it.
 * Undefined for everything else.
 */
export function offerOf(address: string): string | undefined {
  if (address.length > 20_000 || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== `${deepLinkScheme}:` || url.host !== 'new') return undefined;
  return addressIn(url.searchParams.get('url') ?? '');
}

/** The offer among the arguments that a second start was given. */
export function offerAmong(args: readonly string[]): string | undefined {
  return args.map(offerOf).find((offer) => offer !== undefined);
}

/** The last offer, until the page takes it. */
export interface WaitingOffer {
  add(offer: string | undefined): void;
  take(): string | undefined;
  /** `tell` is called when one waits. */
  onWaiting(tell: () => void): void;
}

export function waitingOffer(): WaitingOffer {
  const listeners = new Set<() => void>();
  let waiting: string | undefined;
  return {
    add(offer) {
      if (offer === undefined) return;
      waiting = offer;
      for (const tell of listeners) tell();
    },
    onWaiting: (tell) => void listeners.add(tell),
    take() {
      const offer = waiting;
      waiting = undefined;
      return offer;
    },
  };
}
