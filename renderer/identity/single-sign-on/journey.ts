/** What is remembered in this tab while its page is away at the provider. */
export interface Journey {
  /** Proves that the answer came back to the tab that asked. */
  readonly secret: string;
  readonly purpose: 'sign-in' | 'link';
  /** The page that the person wanted. */
  readonly returnPath: string;
}

const name = 'single-sign-on';

/** Begins a journey with a secret of its own. It is remembered in this tab alone, until it ends. */
export function beginJourney(purpose: Journey['purpose'], returnPath: string): Journey {
  const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  const journey = { secret, purpose, returnPath };
  sessionStorage.setItem(name, JSON.stringify(journey));
  return journey;
}

/** Ends the journey and returns it; undefined where none was begun in this tab. */
export function endJourney(): Journey | undefined {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  // Written by `beginJourney`.
  return text === null ? undefined : (JSON.parse(text) as Journey);
}
