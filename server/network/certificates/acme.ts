import { createHash } from 'node:crypto';
import type { Client } from 'acme-client';
import type { Challenges } from './challenges.ts';
import { checkPair, endOf, type Obtained } from './pair.ts';
import type { KeyStore } from './store.ts';

interface AcmeSettings {
  /** URL of the authority's directory (RFC 8555, section 7.1.1). */
  directory: string;
  email: string | null;
}

/** The authority cannot be reached now: other orders would fare no better. */
export class AuthoritySilent extends Error {}

export interface Authority {
  /** Orders a certificate. Throws with a sentence that the owner of the domain may read, or AuthoritySilent. */
  obtain(host: string): Promise<Obtained>;
  /** Whether the authority has revoked a certificate; false if it cannot be asked. */
  wasRevoked(url: string): Promise<boolean>;
}

interface Options {
  settings: () => AcmeSettings;
  store: KeyStore;
  challenges: Challenges;
  /** Milliseconds for a whole order. */
  orderMs?: number | undefined;
}

/** The library, loaded with the first order: it takes a tenth of a second, and most instances have no certificate. */
const library = async () => {
  const acme = await import('acme-client');
  const { defaults } = acme.axios;
  // A failed request must not delay an order for minutes: the job retries it. No proxy from the environment.
  Object.assign(defaults, { timeout: 10_000, maxContentLength: 1_000_000, proxy: false });
  // The library keeps its retry settings in a field of its own that its types do not name.
  const { acmeSettings } = defaults as { acmeSettings?: object };
  Object.assign(defaults, { acmeSettings: { ...acmeSettings, retryMaxAttempts: 2, retryDefaultDelay: 1 } });
  return acme;
};

/**
 * How often a request is sent again with a new nonce: authorities may refuse any (RFC 8555, section 6.5). The library's
 * five lose one order in ten when every second nonce is refused.
 */
const nonceRetries = 20;

/** Certificates by ACME with the HTTP-01 challenge, which our own listener answers. */
export function acmeAuthority({ settings, store, challenges, orderMs = 60_000 }: Options): Authority {
  /** A client with the stored account of the authority: its limits and revocations are tied to it. */
  async function open(): Promise<Client> {
    const { Client, crypto } = await library();
    const { directory, email } = settings();
    const name = `account-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
    let accountKey = store.read(`${name}.pem`);
    if (accountKey === undefined) {
      accountKey = (await crypto.createPrivateEcdsaKey('P-256')).toString();
      store.write(`${name}.pem`, accountKey);
    }
    const known = readAccount(store.read(`${name}.json`));
    const client = new Client({
      directoryUrl: directory,
      accountKey,
      ...(known && { accountUrl: known.url }),
      backoffAttempts: 30,
      backoffMin: 250,
      backoffMax: 5_000,
    });
    internalsOf(client).http.maxBadNonceRetries = nonceRetries;
    const contact = email === null ? [] : [`mailto:${email}`];
    if (!known) await client.createAccount({ termsOfServiceAgreed: true, contact });
    else if (known.email !== email) await client.updateAccount({ contact });
    if (known?.email !== email) {
      store.write(`${name}.json`, JSON.stringify({ url: client.getAccountUrl(), email }));
    }
    return client;
  }

  async function order(host: string): Promise<Obtained> {
    const client = await open();
    const placed = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] });
    for (const authorization of await client.getAuthorizations(placed)) {
      if (authorization.status === 'valid') continue;
      const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
      if (!challenge) throw new Error('The certificate authority offers no HTTP-01 challenge.');
      await challenges.add(challenge.token, await client.getChallengeKeyAuthorization(challenge));
      try {
        await client.completeChallenge(challenge);
        await client.waitForValidStatus(challenge);
      } finally {
        await challenges.remove(challenge.token);
      }
    }
    const { crypto } = await library();
    const ownKey = await crypto.createPrivateEcdsaKey('P-256');
    const [key, request] = await crypto.createCsr({ altNames: [host] }, ownKey);
    const finalized = await client.finalizeOrder(placed, request);
    const ready = finalized.status === 'valid' ? finalized : await client.waitForValidStatus(finalized);
    const pair = { key: key.toString(), chain: await client.getCertificate(ready) };
    checkPair(pair, host);
    return { ...pair, expiresAt: endOf(pair.chain), url: ready.certificate ?? null };
  }

  return {
    obtain: (host) => withinTime(order(host), orderMs),

    async wasRevoked(url) {
      try {
        const client = await withinTime(open(), orderMs);
        const { status } = await withinTime(
          internalsOf(client).http.signedRequest(url, null, { kid: client.getAccountUrl() }),
          orderMs,
        );
        return status === 404 || status === 410;
      } catch {
        // An unreachable authority says nothing; it is asked again tomorrow.
        return false;
      }
    },
  };
}

interface KeptAccount {
  url: string;
  email: string | null;
}

/** Undefined if there is none, or it cannot be read: the authority then finds the account by its key. */
function readAccount(text: string | undefined): KeptAccount | undefined {
  try {
    const { url, email } = JSON.parse(text ?? '') as Partial<KeptAccount>;
    return typeof url === 'string' ? { url, email: email ?? null } : undefined;
  } catch {
    // See above.
    return undefined;
  }
}

interface Internals {
  http: {
    maxBadNonceRetries: number;
    signedRequest(url: string, payload: null, options: { kid: string }): Promise<{ status: number }>;
  };
}

/** What the library has but does not name in its types: the retries, and a request whose status can be seen. */
function internalsOf(client: Client): Internals {
  return client as unknown as Internals;
}

async function withinTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = 'The certificate authority did not answer in time.';
    timer = setTimeout(() => reject(new AuthoritySilent(message)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    // An authority that refuses has answered; only what never reached it fails in the library below.
    const { isAxiosError, response } = error as { isAxiosError?: boolean; response?: unknown };
    const isUnreachable = isAxiosError === true && response === undefined;
    throw isUnreachable ? new AuthoritySilent('The certificate authority cannot be reached.') : error;
  } finally {
    clearTimeout(timer);
    // Results after the timeout are ignored.
    work.catch(() => {});
  }
}
