import { createHash } from 'node:crypto';
import type { Certificates } from '../certificates/certificates.ts';
import type { SharedChallenges } from '../certificates/challenges.ts';
import type { FleetSession } from './session.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Hands the certificates that the origin presents to the edges of its fleet, through one connection to the engine. */
export async function certificateDesk(
  certificates: Pick<Certificates, 'served' | 'revision'>,
  { engine, seal, subjects }: FleetSession,
) {
  const { state } = subjects;
  /** The last state sent to edges, by subject. */
  const told = new Map<string, string>();
  let revision: number | undefined;
  const { state: kept } = await engine.manager.streams.info(state.stream, {
    subjects_filter: `${state.certificates}>`,
  });
  for (const subject of Object.keys(kept.subjects ?? {})) {
    const found = await engine.manager.streams.getMessage(state.stream, { last_by_subj: subject });
    const body = found && seal.open(found.data, subject);
    told.set(subject, body ? digestOf(body.toString()) : '');
  }

  async function tell(subject: string, text: string): Promise<void> {
    if (told.get(subject) === digestOf(text)) return;
    await engine.streams.publish(subject, seal.seal(text, subject));
    told.set(subject, digestOf(text));
  }

  return {
    /** Sends edges the changes since the last call; certificates no longer in use are removed there. */
    async share(): Promise<void> {
      if (revision === certificates.revision()) return;
      const now = certificates.revision();
      const presented = new Set<string>();
      for (const { host, key, chain } of certificates.served()) {
        const subject = state.certificate(host);
        presented.add(subject);
        await tell(subject, JSON.stringify({ host, pair: { key, chain } }));
      }
      for (const subject of told.keys()) {
        if (!presented.has(subject)) await tell(subject, JSON.stringify({ host: '', pair: null }));
      }
      revision = now;
    },
  };
}

/** Lets every edge answer challenges of authorities and ownership checks, wherever the name of a host leads. */
export function fleetChallenges(session: () => FleetSession | undefined): SharedChallenges {
  return {
    async add(token, answer) {
      const through = session();
      if (!through) return;
      const subject = through.subjects.state.challenge(token);
      await through.engine.streams.publish(
        subject,
        through.seal.seal(JSON.stringify({ token, answer }), subject),
      );
    },
    async remove(token) {
      const through = session();
      if (!through) return;
      const { stream, challenge } = through.subjects.state;
      await through.engine.manager.streams.purge(stream, { filter: challenge(token) });
    },
  };
}
