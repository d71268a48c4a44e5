import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { challengeOf, sendChallenge } from '../certificates/challenges.ts';
import { checkPair, endOf } from '../certificates/pair.ts';
import { keyStore } from '../certificates/store.ts';
import { proofAskedFor } from '../domains/proof.ts';
import { type CertificateState, certificateState, challengeState, readMessage } from './messages.ts';
import type { FleetSeal } from './seal.ts';
import type { FleetSession } from './session.ts';
import { latest } from './streams.ts';

interface Options {
  /** The data folder of the edge. */
  folder: string;
  seal: FleetSeal;
  /** The connection to NATS; undefined while there is none. */
  session: () => FleetSession | undefined;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** Concurrent look-ups of challenges and ownership checks. */
const mostLookups = 20;

/**
 * The certificates that an edge presents: the origin orders them, and they stay sealed in the folder, so that HTTPS is
 * there before the engine is.
 */
export function edgeCertificates({ folder, seal, session, now, log }: Options) {
  const store = keyStore(join(folder, 'certificates'));
  const presented = new Map<string, { subject: string; context: SecureContext; expiresAt: number }>();
  let lookups = 0;
  for (const name of store.list()) {
    const text = store.read(name) ?? '';
    const end = text.indexOf('\n');
    const subject = text.slice(0, end);
    const state = read(subject, Buffer.from(text.slice(end + 1), 'base64'));
    if (state) present(subject, state);
  }

  /** The content of a message; undefined if it is not from this fleet, and then ignored. */
  function read(subject: string, sealed: Uint8Array): CertificateState | undefined {
    const state = readMessage(certificateState, seal.open(sealed, subject));
    if (!state) log.warn('an unreadable certificate was skipped');
    return state;
  }

  /** Uses the origin's certificate; false if there is none. */
  function present(subject: string, { host, pair }: CertificateState): boolean {
    for (const [name, entry] of presented) if (entry.subject === subject) presented.delete(name);
    if (!pair) return false;
    try {
      checkPair(pair, host);
      const context = createSecureContext({ key: pair.key, cert: pair.chain, minVersion: 'TLSv1.2' });
      presented.set(host, { subject, context, expiresAt: endOf(pair.chain) });
      return true;
    } catch (error) {
      log.warn({ err: error, host }, 'an unusable certificate was skipped');
      return false;
    }
  }

  async function answerLater(request: IncomingMessage, response: ServerResponse, token: string) {
    const through = session();
    let answer: string | undefined;
    if (through && lookups < mostLookups) {
      lookups += 1;
      try {
        const subject = through.subjects.state.challenge(token);
        const found = await latest(through.engine, through.subjects.state.stream, subject);
        const state = found && readMessage(challengeState, seal.open(found.data, subject));
        if (state?.token === token) answer = state.answer;
      } catch {
        // The connection to NATS was lost: the requester will retry.
      } finally {
        lookups -= 1;
      }
    }
    sendChallenge(request, response, answer);
  }

  return {
    /** Takes a message of the origin about a certificate. */
    take(subject: string, sealed: Uint8Array): void {
      const state = read(subject, sealed);
      if (!state) return;
      const name = `${createHash('sha256').update(subject).digest('hex').slice(0, 32)}.sealed`;
      const isPresented = present(subject, state);
      try {
        const text = `${subject}\n${Buffer.from(sealed).toString('base64')}`;
        if (!isPresented) store.remove(name);
        else if (store.read(name) !== text) store.write(name, text);
      } catch (error) {
        // A full disk must not end the connection: the next one delivers it again.
        log.warn({ err: error, host: state.host }, 'a certificate could not be stored for the next start');
      }
    },

    /** Removes all keys: this edge may present nothing any more. */
    forget(): void {
      presented.clear();
      for (const name of store.list()) store.remove(name);
    },

    /** What HTTPS presents for a name; undefined for names that it has nothing for. */
    contextFor: (name: string): SecureContext | undefined => presented.get(name.toLowerCase())?.context,

    /** Whether HTTPS works for a host now. */
    serves: (host: string): boolean => (presented.get(host)?.expiresAt ?? 0) > now(),

    /**
     * Answers challenges of certificate authorities and ownership checks of the origin; false for all other requests.
     */
    answer(request: IncomingMessage, response: ServerResponse, host: string): boolean {
      const path = request.url ?? '';
      const token = challengeOf(path) ?? proofAskedFor(host, path);
      if (token === undefined) return false;
      void answerLater(request, response, token);
      return true;
    },
  };
}
