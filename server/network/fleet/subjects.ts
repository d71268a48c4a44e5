import { createHash } from 'node:crypto';
import type { CountedLimit } from '../../visits/redirects/shared-limits.ts';

/** A link or a file with a limit. */
export type Counted = Omit<CountedLimit, 'limit'>;

const countsForm = /^waypost\.limits\.([0-9a-f]{16})\.\*$/;
const countForm = /^waypost\.limits\.([0-9a-f]{16})\.(link|file)-(\d{1,15})-(\d{1,15})$/;
/** All counts of a time. */
const countsOf = (counting: string): string => `waypost.limits.${counting}.*`;

/**
 * A fleet's subjects in NATS. The names are the same for every fleet, so that permissions of edges can be configured
 * in advance; a second fleet needs its own account there.
 */
export const fleetSubjects = {
  changes: {
    stream: 'waypost_changes',
    subject: 'waypost.changes.next',
    // Never a single literal subject: edges choose where their deliveries go, and NATS delivers to subjects with an
    // exact subscription.
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
    /** The subjects that machines count, without the marker that allows it. */
    counts: 'waypost.limits.*.*',
    /**
     * All that the stream takes while machines count together. That time has a name, and a count of another one is taken
     * by no stream: a machine that has not heard yet needs no question to find out.
     */
    open: (counting: string): [string, string] => ['waypost.limits.ready', countsOf(counting)],
    countsOf,
    /** The name of the time in which a stream takes these subjects; undefined where it takes no counts of a time. */
    countingOf: (subjects: readonly string[]): string | undefined =>
      subjects.map((subject) => countsForm.exec(subject)?.[1]).find((name) => name !== undefined),
    of: (counting: string, { kind, id, createdAt }: Counted) =>
      `waypost.limits.${counting}.${kind}-${id}-${createdAt}`,
    /** What a subject counts, and in which period; undefined for any other subject. */
    countedOf(subject: string): { counting: string; counted: Counted } | undefined {
      const [, counting, kind, id, createdAt] = countForm.exec(subject) ?? [];
      if (counting === undefined) return undefined;
      const counted = { id: Number(id), createdAt: Number(createdAt) };
      return { counting, counted: { kind: kind === 'file' ? 'file' : 'link', ...counted } };
    },
    /** The marker that earlier use is counted, too, with the name of the new counting period. */
    ready: 'waypost.limits.ready',
    /** All that the stream takes while the origin counts alone. */
    closed: 'waypost.closed.limits',
  },
  /** A bucket of the object store. */
  snapshots: 'waypost_snapshots',
  /** Uploaded files: a bucket of the object store, and requests for files that are not in it. */
  files: { bucket: 'waypost_files', stream: 'OBJ_waypost_files', ask: 'waypost.file' },
  /** An edge asks to join; answered by the origin. */
  join: 'waypost.join',
  /** A start of the origin asks which one is connected; that one answers. */
  writer: 'waypost.writer',
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

/** Metadata of a stream: its owner. */
export const descriptionOf = (fleet: string): string => `Waypost fleet ${fleet}`;
