import { Refusal, rejected, signInRefused } from '../../platform/errors.ts';

/** What the library calls a fault (oauth4webapi); its sentences are for programmers. */
const noDescription = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
];
const anotherIssuer = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
/** The provider does not know the client (RFC 6749, section 5.2); Keycloak uses the second code. */
const clientRefusals = ['invalid_client', 'unauthorized_client'];

const clientMessage = 'The provider does not accept the client ID or the client secret of this instance.';

/** What is wrong with a provider, for administrators: 400 with a message, from the error of reading its metadata. */
export function faultOf(issuer: string, error: unknown): Refusal {
  if (isUnreachable(error)) {
    const message =
      'The provider cannot be reached. Check its address, and that this server may connect to it.';
    return rejected('sso_unreachable', 'issuer', message);
  }
  const codes = codesOf(error);
  if (codes.includes(anotherIssuer)) {
    const message =
      'The provider reports a different issuer. Enter the issuer exactly as the provider reports it.';
    return rejected('sso_other_issuer', 'issuer', message);
  }
  if (codes.some((code) => noDescription.includes(code))) {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const message = `There is no OpenID Connect provider at this issuer: ${address} describes none.`;
    return rejected('sso_no_provider', 'issuer', message);
  }
  const reason = reasonOf(error);
  // The reason separately, for translated messages.
  return new Refusal(400, `The provider does not work: ${reason}.`, {
    code: 'sso_misconfigured',
    field: 'issuer',
    data: { reason },
  });
}

/** The addresses that the client needs of a provider. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Throws if metadata lacks a required URL, or has an unsafe one: the browser and the client secret are sent there.
 * Unencrypted URLs are allowed only if the issuer's is.
 */
export function checkEndpoints(
  issuer: string,
  description: Readonly<Partial<Record<(typeof endpoints)[number], unknown>>>,
): void {
  const isInsecure = new URL(issuer).protocol === 'http:';
  for (const name of endpoints) {
    const value = description[name];
    if (value === undefined) throw new Error(`its description has no ${name}`);
    const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined;
    if (protocol !== 'https:' && !(isInsecure && protocol === 'http:')) {
      throw new Error(`its ${name} is no ${isInsecure ? 'web' : 'HTTPS'} address`);
    }
  }
}

/** ID token signatures that the client can verify and only the provider can create (RFC 7518, RFC 8037, RFC 9964). */
const isCheckable = (algorithm: unknown) =>
  typeof algorithm === 'string' &&
  /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519|ML-DSA-(?:44|65|87))$/.test(algorithm);

/**
 * Throws if the provider's ID token signatures cannot be verified: none, or made with the client secret. A provider
 * that does not declare them uses RS256, or is rejected at sign-in.
 */
export function checkSignatures({
  id_token_signing_alg_values_supported: algorithms,
}: {
  readonly id_token_signing_alg_values_supported?: unknown;
}): void {
  if (!Array.isArray(algorithms) || algorithms.some(isCheckable)) return;
  const names = algorithms.filter((name) => typeof name === 'string').join(', ') || 'nothing';
  throw new Error(
    `it signs ID tokens with ${names.slice(0, 100)} only; RS256 or another public key is needed`,
  );
}

/** 503 for people signing in; the settings test shows the reason. */
export function brokenProvider(): Refusal {
  const message =
    'The single sign-on provider is not set up correctly. Ask an administrator, or sign in another way.';
  return new Refusal(503, message, { code: 'sso_broken' });
}

/** 400 for the settings: the provider does not know this client or secret. */
export const clientFault = (): Refusal => rejected('sso_client', 'clientid', clientMessage);

/** 401 for people signing in; the administrator must fix it. */
export const clientRefused = (): Refusal => signInRefused('sso_client', clientMessage);

/** Whether the provider refused the client itself, and not what was sent. */
export function refusesClient(error: unknown): boolean {
  return causesOf(error).some((cause) =>
    'error' in cause
      ? clientRefusals.includes(String(cause.error))
      : // Without a body that says it: RFC 6749 has 401 for this alone.
        'status' in cause && cause.status === 401,
  );
}

/** Whether the provider accepted the client and rejected only the invalid code. */
export function refusesCode(error: unknown): boolean {
  return causesOf(error).some((cause) => 'error' in cause && cause.error === 'invalid_grant');
}

/** Whether a request failed, was blocked, or reached a provider that is down. */
export function isUnreachable(error: unknown): boolean {
  return causesOf(error).some(
    ({ name, cause }) => name === 'Refusal' || (cause instanceof Response && cause.status >= 500),
  );
}

function codesOf(error: unknown): string[] {
  return causesOf(error).flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** The innermost sentence says most. */
function reasonOf(error: unknown): string {
  const [reason = 'it gave no reason'] = causesOf(error)
    .map(({ message }) => message.replace(/\.$/, ''))
    .reverse();
  return reason;
}
