import { createHash } from 'node:crypto';
import type { CountedLimit } from '../../visits/redirects/shared-limits.ts';

/** A link or a file with a limit. */
export type Counted = Omit<CountedLimit, 'limit'>;

/**
 * What a fleet has in its engine. The names are the same for every fleet, so that the rights of edges can be written
 * down before there is one; a second fleet needs an account of its own there.
 */
export const fleetSubjects = {
  changes: {
    stream: 'waypost_changes',
    subject: 'waypost.changes.next',
    // Never one subject by its name: an edge may have what it reads delivered, and the engine delivers to where exactly
    // that is heard.
    all: 'waypost.changes.>',
  },
  /** The latest of each: edges, salts of the day, the newest snapshot, who writes. */
  state: {
    stream: 'waypost_state',
    all: 'waypost.state.>',
    edges: 'waypost.state.edge.',
    edge: (id: number) => `waypost.state.edge.${id}`,
    salt: (day: number) => `waypost.state.salt.${day}`,
    salts: 'waypost.state.salt.',
    snapshot: 'waypost.state.snapshot',
    certificates: 'waypost.state.certificate.',
    certificate: (host: string) => `waypost.state.certificate.${digestOf(host)}`,
    /** What an authority asks for by a token, or the origin by the URL of a proof. */
    challenge: (token: string) => `waypost.state.challenge.${digestOf(token)}`,
    writer: 'waypost.state.writer',
  },
  clicks: {
    stream: 'waypost_clicks',
    all: 'waypost.clicks.>',
    of: (edge: number) => `waypost.clicks.${edge}`,
  },
  /** How many clicks of each limited link, and downloads of each limited file, are used up. */
  limits: {
    stream: 'waypost_limits',
    all: 'waypost.limits.>',
    /** What machines count. What says that they may is not among it. */
    counts: ['waypost.limits.*.*', 'waypost.limits.file.*.*'],
    of: ({ kind, id, createdAt }: Counted) =>
      `waypost.limits.${kind === 'file' ? 'file.' : ''}${id}.${createdAt}`,
    /** What a subject counts; undefined for any other subject. */
    countedOf(subject: string): Counted | undefined {
      const [, file, id, createdAt] =
        /^waypost\.limits\.(file\.)?(\d{1,15})\.(\d{1,15})$/.exec(subject) ?? [];
      if (id === undefined) return undefined;
      return { kind: file === undefined ? 'link' : 'file', id: Number(id), createdAt: Number(createdAt) };
    },
    /** Says that what was used up before the fleet is counted, too. */
    ready: 'waypost.limits.ready',
    /** All that the stream takes while the origin counts alone. */
    closed: 'waypost.closed.limits',
  },
  /** A bucket of the object store. */
  snapshots: 'waypost_snapshots',
  /** What people upload: a bucket of the object store, and how an edge asks for what is not in there. */
  files: { bucket: 'waypost_files', stream: 'OBJ_waypost_files', ask: 'waypost.file' },
  /** An edge asks to join; answered by the origin. */
  join: 'waypost.join',
  /** An edge asks for a snapshot. */
  ask: 'waypost.ask',
  report: (edge: number) => `waypost.report.${edge}`,
  reports: 'waypost.report.*',
} as const;

export type FleetSubjects = typeof fleetSubjects;

/** Short, and without what means something in a subject. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Below what an edge hears replies; without an id, all edges. */
export const edgeInbox = (id?: number | string): string =>
  id === undefined ? '_INBOX_waypost_edge' : `_INBOX_waypost_edge.${id}`;

/** What a stream says of itself: whose it is. */
export const descriptionOf = (fleet: string): string => `Waypost fleet ${fleet}`;
