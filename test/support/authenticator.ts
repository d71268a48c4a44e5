import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { CreationOptions, RequestOptions } from '../../server/contract/passkeys.ts';

/** Deviations from the standard, by an attacker or a broken authenticator. */
interface Deviations {
  /** The origin that the browser records. */
  origin?: string;
  challenge?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
  type?: string;
  userHandle?: string | null;
  /** The credential id in base64url. */
  id?: string;
  /** Signed with another key. */
  foreignKey?: boolean;
  /** Creates a packed attestation over these bytes instead of none. */
  attest?: (signed: Buffer) => Map<string, unknown>;
}

/**
 * A browser with an authenticator, as seen by the server: creates ES256 credentials and signs with them (WebAuthn Level
 * 3, sections 6.1 and 6.5).
 */
export function authenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  function authData(rpId: string, deviations: Deviations, credential = Buffer.alloc(0)): Buffer {
    const isVerified = deviations.isVerified ?? true;
    const flags = 1 | (isVerified ? 4 : 0) | (credential.length > 0 ? 64 : 0);
    const count = Buffer.alloc(4);
    counter += 1;
    count.writeUInt32BE(deviations.counter ?? counter);
    return Buffer.concat([sha256(deviations.rpId ?? rpId), Buffer.from([flags]), count, credential]);
  }

  function clientData(type: string, challenge: string, deviations: Deviations): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviations.type ?? type,
        challenge: deviations.challenge ?? challenge,
        origin: deviations.origin ?? origin,
        crossOrigin: false,
      }),
    );
  }

  return {
    id: id.toString('base64url'),
    create(options: CreationOptions, deviations: Deviations = {}) {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const client = clientData('webauthn.create', options.challenge, deviations);
      const data = authData(options.rp.id, deviations, credential);
      const attestation = new Map<string, unknown>([
        ['fmt', deviations.attest ? 'packed' : 'none'],
        ['attStmt', deviations.attest?.(Buffer.concat([data, sha256(client)])) ?? new Map()],
        ['authData', new Uint8Array(data)],
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    get(options: RequestOptions, deviations: Deviations = {}) {
      const data = authData(options.rpId, deviations);
      const client = clientData('webauthn.get', options.challenge, deviations);
      const key = deviations.foreignKey
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : privateKey;
      const named = deviations.id ?? id.toString('base64url');
      const handle = deviations.userHandle === undefined ? userHandle : deviations.userHandle;
      return {
        id: named,
        rawId: named,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
          userHandle: handle,
        },
        clientExtensionResults: {},
      };
    },
  };
}

function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // EC2, ES256, P-256 (RFC 9053).
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
}

function cbor(value: Map<string | number, unknown> | Map<string, unknown> | Map<number, unknown>): Buffer {
  return Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]));
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
