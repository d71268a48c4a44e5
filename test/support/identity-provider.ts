import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Deviations from the standard, by an attacker or a broken provider. */
export interface ProviderDeviations {
  /** Overrides claims of the ID token. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signed with another key. */
  foreignKey?: boolean;
  /** No signature at all. */
  unsigned?: boolean;
  /** Overrides its discovery document. */
  description?: Record<string, unknown>;
  /** Takes any code verifier. */
  ignoresVerifier?: boolean;
  /** Responds like a proxy in front of a provider that is down. */
  isDown?: boolean;
}

/** Key pairs of the providers that are open at the same time: generating one takes longer than most tests. */
const keyPairs: ReturnType<typeof rsaPair>[] = [];
let openProviders = 0;
const rsaPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * An OpenID Connect provider on loopback, as seen by a client: it signs in whoever is named, without asking, and
 * deviates from the standard on request.
 */
export async function identityProvider(clientId: string, clientSecret: string) {
  const keys = keyPairs[openProviders] ?? rsaPair();
  keyPairs[openProviders] = keys;
  openProviders += 1;
  const codes = new Map<string, { challenge: string; nonce: string; person: Record<string, unknown> }>();
  let deviations: ProviderDeviations = {};
  const asked: string[] = [];

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const path = new URL(request.url ?? '/', issuer).pathname;
    asked.push(path);
    if (deviations.isDown) return { status: 502, body: 'Bad gateway' };
    if (path === '/.well-known/openid-configuration') {
      return { status: 200, body: { ...description(issuer), ...deviations.description } };
    }
    if (path === '/keys') {
      const key = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
      return { status: 200, body: { keys: [key] } };
    }
    if (path !== '/token') return { status: 404, body: { error: 'not_found' } };
    return redeem(new URLSearchParams(await textOf(request)));
  }

  function redeem(form: URLSearchParams): { status: number; body: unknown } {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = deviations.ignoresVerifier || code?.challenge === verifier;
    if (!isClient) return { status: 401, body: { error: 'invalid_client' } };
    if (!code || !isRight) return { status: 400, body: { error: 'invalid_grant' } };
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      ...code.person,
      ...deviations.claims,
    };
    const key = deviations.foreignKey
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : keys.privateKey;
    const token = signed(
      { alg: 'RS256', kid: 'one', ...deviations.header },
      claims,
      key,
      deviations.unsigned,
    );
    return { status: 200, body: { access_token: 'none', token_type: 'Bearer', id_token: token } };
  }

  return {
    issuer,
    asked,
    deviate: (next: ProviderDeviations): void => {
      deviations = next;
    },
    /** The query with which the browser returns after a sign-in at the address. */
    signIn(address: string, person: Record<string, unknown>): string {
      const query = new URL(address).searchParams;
      const code = randomBytes(16).toString('hex');
      codes.set(code, {
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce') ?? '',
        person,
      });
      return `?${new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })}`;
    },
    close() {
      openProviders -= 1;
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function description(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function signed(header: object, claims: object, key: KeyObject, isUnsigned = false): string {
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const text = parts.join('.');
  return `${text}.${isUnsigned ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
