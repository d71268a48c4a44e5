import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** A secret in the form of Standard Webhooks: 32 random bytes. */
export function newSecret(randomBytes: (size: number) => Buffer): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The headers of a message according to Standard Webhooks: the signature covers id, timestamp (Unix seconds) and body,
 * so that none can be replaced, and receivers can reject old messages.
 */
export function signedHeaders(
  secret: string,
  message: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const key = secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${message}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': message,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': `v1,${signature}`,
  };
}
