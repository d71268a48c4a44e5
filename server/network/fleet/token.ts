import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readMessage } from './messages.ts';

/** What an edge needs to join, handed over once by a person. */
const tokenForm = z.object({
  v: z.literal(1),
  fleet: z.string().regex(/^[0-9a-f]{16}$/),
  /** The fleet's key in base64. */
  key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
  url: z.string().max(2_000),
  /** Where all edges share a user of the engine. */
  user: z.string().max(200).optional(),
  password: z.string().max(1_000).optional(),
  /** If each edge has its own user: credentials that only permit requesting one. */
  credentials: z.string().max(4_000).optional(),
  id: z.int().min(1),
  name: z.string().max(200),
  secret: z.string().max(100),
  expires: z.int(),
});
export type JoinToken = z.output<typeof tokenForm>;

const prefix = 'wayedge_';
/** Characters of a checksum that detects truncated or changed tokens. */
const checkLength = 8;

export function writeToken(token: JoinToken): string {
  const body = Buffer.from(JSON.stringify(token)).toString('base64url');
  return `${prefix}${checkOf(body)}${body}`;
}

/** Parses a join token; undefined if invalid or changed. */
export function readToken(text: string): JoinToken | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(prefix)) return undefined;
  const check = trimmed.slice(prefix.length, prefix.length + checkLength);
  const body = trimmed.slice(prefix.length + checkLength);
  if (checkOf(body) !== check) return undefined;
  return readMessage(tokenForm, Buffer.from(body, 'base64url'));
}

/** What the origin stores of a token's secret. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function checkOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, checkLength);
}
