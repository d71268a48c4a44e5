import type { LocationQuery } from 'vue-router';
import { codeChallenge, deviceName, loopbackAddress } from '../../../server/contract/browser-sign-in.ts';

/** What a desktop app asks for, by the address that it opened in the browser (RFC 6749, section 4.1.1). */
export interface SignInRequest {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly device: string;
  /** Given back as it came, so that the app knows its own question again. */
  readonly state: string;
}

/** The request in a query; undefined where something is missing, twice, or not what an app of ours sends. */
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

/** Where the browser goes with the answer; `issuer` says whose it is (RFC 9207). */
export function answerAddress(
  { redirectUri, state }: SignInRequest,
  issuer: string,
  answer: { code: string } | { error: 'access_denied' },
): string {
  return `${redirectUri}?${new URLSearchParams({ ...answer, state, iss: issuer })}`;
}
