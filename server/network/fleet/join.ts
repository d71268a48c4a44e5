import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { asFailure, connectEngine } from './engine.ts';
import { findMembership, keepMembership, type Membership } from './membership.ts';
import { joinReply, readMessage } from './messages.ts';
import { fleetSeal } from './seal.ts';
import { fleetSubjects } from './subjects.ts';
import { readToken } from './token.ts';

/** Why a folder cannot be an edge, in a sentence for the person at the terminal. */
export class JoinRefused extends Error {}

const replyMs = 6_000;

interface Options {
  folder: string;
  /** The join token, where one was given. */
  token: string | undefined;
  version: string;
  now: number;
}

/**
 * The membership of a folder: the one that it has, or a new one by a token that the origin takes once. Throws JoinRefused, with
 * nothing in the folder changed.
 */
export async function joinFleet({ folder, token, version, now }: Options): Promise<Membership> {
  const known = knownMembership(folder);
  if (token === undefined) {
    if (known) return known;
    throw new JoinRefused(
      `The folder ${folder} has joined no fleet. Add an edge (POST /api/fleet/edge/add) and start it with --join and its token.`,
    );
  }
  const read = readToken(token);
  if (!read)
    throw new JoinRefused(
      'This join token is not valid: it was cut or changed. Copy the whole command again.',
    );
  if (known) {
    if (known.fleet === read.fleet && known.id === read.id && !known.revoked) return known;
    throw new JoinRefused(
      known.revoked
        ? 'This folder belongs to an edge that was revoked. Join with the new token in an empty folder.'
        : 'This folder belongs to another edge already. Join with this token in an empty folder.',
    );
  }
  if (read.expires <= now) {
    throw new JoinRefused(
      "This token has expired, or this machine's clock is ahead. Check the clock, then add a new edge and use its token.",
    );
  }
  const installation = randomUUID();
  const name = await ask(read, installation, version);
  const { fleet, key, url, user, password, id } = read;
  const membership = { installation, fleet, key, url, user, password, id, name, revoked: false };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  keepMembership(folder, membership);
  return membership;
}

function knownMembership(folder: string): Membership | undefined {
  try {
    return findMembership(folder);
  } catch (error) {
    throw new JoinRefused((error as Error).message);
  }
}

/** Shows the token to the origin; returns the name of the edge. */
async function ask(
  token: NonNullable<ReturnType<typeof readToken>>,
  installation: string,
  version: string,
): Promise<string> {
  const { url, user, password, key, id, secret } = token;
  const seal = fleetSeal(Buffer.from(key, 'base64'));
  const { join } = fleetSubjects;
  const engine = await connectEngine({ url, user, password }, `waypost-edge-${id}`).catch(
    (error: unknown) => {
      throw new JoinRefused(asFailure(error, { url }).message);
    },
  );
  try {
    const request = seal.seal(JSON.stringify({ id, secret, installation, version }), join);
    const { data } = await engine.connection.request(join, request, { timeout: replyMs });
    const reply = readMessage(joinReply, seal.open(data, `${join} reply`));
    if (!reply) throw new JoinRefused('This token is of another fleet.');
    if (reply.error !== null) throw new JoinRefused(reply.error);
    return reply.name;
  } catch (error) {
    if (error instanceof JoinRefused) throw error;
    throw new JoinRefused(
      'The origin does not answer through the engine. Check that it runs and is connected, then try again.',
    );
  } finally {
    await engine.close();
  }
}
