import type { Configuration, CustomFetchOptions } from 'openid-client';
import { Refusal, signInRefused } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import {
  brokenProvider,
  checkEndpoints,
  checkSignatures,
  clientFault,
  clientRefused,
  faultOf,
  isUnreachable,
  refusesClient,
  refusesCode,
} from './provider-faults.ts';

/** The largest document of a provider that is read: descriptions and key sets take a few kilobytes. */
const maxBytes = 500_000;
/** How long a provider's metadata is cached. Milliseconds. */
const knownMs = 3_600_000;

/** A provider as configured here. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Requested in addition to the usual ones. */
  scopes: readonly string[];
}

/** One way there and back. */
export interface Journey {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** What the provider says about the signed-in person. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string | undefined;
  isVerified: boolean;
  name: string | undefined;
  username: string | undefined;
  /** The values of a claim; undefined where the provider does not send it. */
  valuesOf(name: string): string[] | undefined;
}

interface Options {
  fetcher: Pick<Fetcher, 'exchange'>;
  monotonic: () => number;
}

/** Loaded with the first sign-in: most instances never need it. */
const openId = () => import('openid-client');

/**
 * The client of OpenID Connect: authorization code with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636,
 * RFC 9207).
 */
export function providerClient({ fetcher, monotonic }: Options) {
  let known: { name: string; config: Configuration; until: number } | undefined;

  /** What openid-client sends goes through the one door for outgoing requests. */
  async function send(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    if (sent !== undefined && sent !== null && typeof sent !== 'string') throw new Error('no text to send');
    const reply = await fetcher.exchange(url, {
      method: method as 'GET' | 'POST',
      headers,
      ...(typeof sent === 'string' && { body: sent }),
      maxBytes,
      field: 'issuer',
      party: 'single sign-on',
    });
    return new Response(new Uint8Array(reply.body), { status: reply.status, headers: reply.headers });
  }

  /** The provider's metadata. Throws errors of openid-client or the fetcher, and for invalid URLs. */
  async function describe({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
    const name = JSON.stringify([issuer, clientId, clientSecret]);
    if (known?.name === name && monotonic() < known.until) return known.config;
    const {
      allowInsecureRequests,
      ClientSecretPost,
      customFetch,
      discovery,
      enableNonRepudiationChecks,
      None,
    } = await openId();
    const config = await discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
      {
        [customFetch]: send,
        execute: [
          // ID token signatures are verified although they come directly from the provider.
          enableNonRepudiationChecks,
          // The contract allows that on this machine alone.
          ...(new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    );
    checkEndpoints(issuer, config.serverMetadata());
    checkSignatures(config.serverMetadata());
    known = { name, config, until: monotonic() + knownMs };
    return config;
  }

  return {
    /**
     * Reloads the provider's metadata, and tests whether it knows the client: an invalid code is rejected differently
     * from an invalid client. Resolves to whether the provider confirmed it. Throws 400 with a message about the
     * problem.
     */
    async test(provider: Provider, redirectUri: string): Promise<boolean> {
      known = undefined;
      const config = await describe(provider).catch((error: unknown) => {
        throw faultOf(provider.issuer, error);
      });
      const { genericGrantRequest, randomPKCECodeVerifier } = await openId();
      try {
        await genericGrantRequest(config, 'authorization_code', {
          code: 'test',
          redirect_uri: redirectUri,
          code_verifier: randomPKCECodeVerifier(),
        });
      } catch (error) {
        if (isUnreachable(error)) throw faultOf(provider.issuer, error);
        if (refusesClient(error)) throw clientFault();
        return refusesCode(error);
      }
      return false;
    },

    /** Where the browser has to go. Throws 503 when the provider cannot be reached or is set up wrongly. */
    async addressFor(provider: Provider, { redirectUri, state, nonce, verifier }: Journey): Promise<string> {
      const config = await reached(() => describe(provider));
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openId();
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: ['openid email profile', ...provider.scopes].join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },

    /** Who signed in, by the query that the provider sent the browser back with. Throws 401 or 503. */
    async redeem(provider: Provider, answer: string, journey: Journey): Promise<Claims> {
      const config = await reached(() => describe(provider));
      const { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo } = await openId();
      const address = new URL(journey.redirectUri);
      address.search = answer;
      let isKnown = false;
      try {
        const tokens = await authorizationCodeGrant(config, address, {
          expectedState: journey.state,
          expectedNonce: journey.nonce,
          pkceCodeVerifier: journey.verifier,
          idTokenExpected: true,
        });
        isKnown = true;
        const token = tokens.claims();
        if (!token) throw new Error('no ID token');
        checkIdentity(token, provider);
        // Some providers put the claims into the ID token, others return them from the userinfo endpoint (OpenID
        // Connect Core 1.0, section 5.4).
        const asks = token.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
        const claims = asks ? await fetchUserInfo(config, tokens.access_token, token.sub) : token;
        return {
          issuer: token.iss,
          subject: token.sub,
          email: addressOf(claims.email),
          isVerified: claims.email_verified === true,
          name: textOf(claims.name),
          username: textOf(claims.preferred_username),
          valuesOf: (name) => valuesIn({ ...token, ...claims }, name),
        };
      } catch (error) {
        if (error instanceof AuthorizationResponseError) throw denied();
        if (isUnreachable(error)) throw unreachable();
        // Refused later than this, it was the person's token.
        if (!isKnown && refusesClient(error)) throw clientRefused();
        throw signInRefused(
          'sso_refused',
          'Single sign-on failed: the answer of the provider could not be verified. Start again.',
        );
      }
    },
  };
}

export type ProviderClient = ReturnType<typeof providerClient>;

async function reached<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw isUnreachable(error) ? unreachable() : brokenProvider();
  }
}

/** The longest subject (OpenID Connect Core 1.0, section 2). */
const longestSubject = 255;

/**
 * Throws if a token has no subject, or was issued to another client. The library checks `azp` only with several
 * audiences; it names the client that the token was issued to (section 3.1.3.7).
 */
function checkIdentity({ sub, azp }: { sub: string; azp?: unknown }, { clientId }: Provider): void {
  if (sub === '' || sub.length > longestSubject) throw new Error('no subject');
  if (azp !== undefined && azp !== clientId) throw new Error('given to another client');
}

/** The text of a claim; providers send what they like. */
function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.length <= 500 ? claim : undefined;
}

/** One address, of any script: nothing that a mail server reads as several, or as a name with an address. */
function addressOf(claim: unknown): string | undefined {
  const text = textOf(claim);
  const isAddress = /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+$/u;
  return text !== undefined && text.length <= 254 && isAddress.test(text) ? text : undefined;
}

/** The maximum number of values of a claim. */
const mostValues = 1_000;

function valuesIn(claims: Readonly<Record<string, unknown>>, name: string): string[] | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  return [claims[name]]
    .flat()
    .slice(0, mostValues)
    .filter((value) => typeof value === 'string');
}

function denied() {
  return signInRefused('sso_denied', 'The provider did not sign you in: it was cancelled or denied there.');
}

function unreachable() {
  const message = 'The single sign-on provider cannot be reached. Try again, or sign in another way.';
  return new Refusal(503, message, { code: 'sso_away' });
}
