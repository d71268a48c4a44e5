import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { credentialsOf, newEngineKey } from './claims.ts';
import { asFailure, connectEngine, type EngineAddress } from './engine.ts';
import { findMembership, keepMembership, type Membership } from './membership.ts';
import { joinReply, type joinRequest, readMessage } from './messages.ts';
import { fleetSeal } from './seal.ts';
import { fleetSubjects } from './subjects.ts';
import { readToken } from './token.ts';

/** Why a folder cannot be an edge, in a sentence for the person at the terminal. */
export class JoinRefused extends Error {}

const replyMs = 6_000;
/**
 * How long an origin that says nothing is asked again: if one of three NATS servers is lost, the others elect leaders
 * before it is back, and until then NATS says at once that nobody listens.
 */
const patienceMs = 40_000;
const pauseMs = 2_000;

interface Options {
  folder: string;
  /** The join token, where one was given. */
  token: string | undefined;
  version: string;
  now: number;
}

/**
 * The membership of a folder: the one that it has, or a new one by a token that the origin takes once. Throws
 * JoinRefused, with nothing in the folder changed.
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
  const { fleet, key, url, user, password, credentials: asking, id, secret } = read;
  // The seed of its own user is generated here and never sent: the origin gets the public key.
  const own = asking === undefined ? undefined : await newEngineKey('user');
  const reply = await askPatiently(
    { url, user, password, credentials: asking },
    { key, id, secret, installation, version, user: own?.id },
  );
  if (reply.error !== null) throw new JoinRefused(reply.error);
  const credentials = own && reply.jwt !== undefined ? credentialsOf(reply.jwt, own.seed) : undefined;
  const { name } = reply;
  const membership = {
    ...{ installation, fleet, key, url, user, password, credentials, asking, id, name, revoked: false },
  };
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

/** Whether the origin reports that an edge was revoked, which NATS rejects. False if it cannot be asked. */
export async function isRevoked(membership: Membership, version: string): Promise<boolean> {
  const { asking, id, installation, key, url } = membership;
  if (asking === undefined) return false;
  try {
    const request = { key, id, installation, version, secret: '' };
    const { revoked } = await ask({ url, credentials: asking }, request);
    return revoked === true;
  } catch (error) {
    if (error instanceof JoinRefused) return false;
    throw error;
  }
}

type Question = z.input<typeof joinRequest> & { key: string };

/** The origin says nothing, and may do so later. */
class NoAnswer extends JoinRefused {}

/** The same question once more is no second one for the origin: it is of the same installation. */
async function askPatiently(address: EngineAddress, question: Question): ReturnType<typeof ask> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask(address, question);
    } catch (error) {
      if (!(error instanceof NoAnswer) || performance.now() > until) throw error;
    }
    await pause(pauseMs);
  }
}

/** Asks the origin to admit an edge; returns its response. Throws JoinRefused for an unreadable one. */
async function ask(
  address: EngineAddress,
  { key, ...request }: Question,
): Promise<z.output<typeof joinReply>> {
  const seal = fleetSeal(Buffer.from(key, 'base64'));
  const { join } = fleetSubjects;
  const engine = await connectEngine(address, `waypost-edge-${request.id}`).catch((error: unknown) => {
    throw new JoinRefused(asFailure(error, address).message);
  });
  try {
    const sealed = seal.seal(JSON.stringify(request), join);
    const { data } = await engine.connection.request(join, sealed, { timeout: replyMs });
    const reply = readMessage(joinReply, seal.open(data, `${join} reply`));
    if (!reply) throw new JoinRefused('This token belongs to another fleet.');
    return reply;
  } catch (error) {
    if (error instanceof JoinRefused) throw error;
    throw new NoAnswer(
      'The origin does not answer through the engine. Check that it runs and is connected, then try again.',
    );
  } finally {
    await engine.close();
  }
}
