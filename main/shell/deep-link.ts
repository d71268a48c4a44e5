import { addressIn } from './address-in.ts';

/** The URL scheme registered for this app. */
export const deepLinkScheme = 'waypost';

/**
 * The address that a `waypost://` deep link asks to shorten (`waypost://new?url=https://…`); undefined for any other
 * link. Any web page can open a deep link, so it only prefills a form, and nothing is created or changed until the user
 * confirms.
 */
export function offerOf(address: string): string | undefined {
  if (address.length > 20_000 || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== `${deepLinkScheme}:` || url.host !== 'new') return undefined;
  return addressIn(url.searchParams.get('url') ?? '');
}

/** The deep link among the arguments of a second instance of the app. */
export function offerAmong(args: readonly string[]): string | undefined {
  return args.map(offerOf).find((offer) => offer !== undefined);
}

/** The most recent deep link, until the page takes it. */
export interface WaitingOffer {
  add(offer: string | undefined): void;
  take(): string | undefined;
  /** `tell` is called when a deep link is waiting. */
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
