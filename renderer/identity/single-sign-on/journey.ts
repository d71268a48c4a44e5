/** State of the flow, stored in this tab while its page is at the provider. */
export interface Journey {
  /** Proves that the response arrived in the tab that sent the request. */
  readonly secret: string;
  readonly purpose: 'sign-in' | 'link';
  /** The page to continue to. */
  readonly returnPath: string;
}

const name = 'single-sign-on';

/** Starts the flow with a new secret, which is stored in this tab only, until it ends. */
export function beginJourney(purpose: Journey['purpose'], returnPath: string): Journey {
  const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  const journey = { secret, purpose, returnPath };
  sessionStorage.setItem(name, JSON.stringify(journey));
  return journey;
}

/** Ends the flow and returns its state; undefined if none was started in this tab. */
export function endJourney(): Journey | undefined {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  // Written by `beginJourney`.
  return text === null ? undefined : (JSON.parse(text) as Journey);
}
