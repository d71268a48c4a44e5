import type { LocationQuery } from 'vue-router';
import { codeChallenge, deviceName, loopbackAddress } from '../../../server/contract/browser-sign-in.ts';

/** The authorization request of a desktop app, from the URL that it opened in the browser (RFC 6749, section 4.1.1). */
export interface SignInRequest {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly device: string;
  /** Returned unchanged, so that the app can match the response to its request. */
  readonly state: string;
}

/** Parses the request from the query; undefined if a parameter is missing, repeated or invalid. */
export function requestIn(query: LocationQuery): SignInRequest | undefined {
  const redirectUri = loopbackAddress.safeParse(query.redirect_uri);
  const challenge = codeChallenge.safeParse(query.code_challenge);
  const device = deviceName.safeParse(query.device);
  const { state } = query;
  if (!redirectUri.success || !challenge.success || !device.success) return undefined;
  if (query.code_challenge_method !== 'S256') return undefined;
  if (typeof state !== 'string' || !/^[A-Za-z0-9_-]{1,200}$/.test(state)) return undefined;
  return { redirectUri: redirectUri.data, challenge: challenge.data, device: device.data, state };
}

/** The redirect URL with the response; `issuer` identifies the server (RFC 9207). */
export function answerAddress(
  { redirectUri, state }: SignInRequest,
  issuer: string,
  answer: { code: string } | { error: 'access_denied' },
): string {
  return `${redirectUri}?${new URLSearchParams({ ...answer, state, iss: issuer })}`;
}
