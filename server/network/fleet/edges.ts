import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { dayMs } from '../../visits/clicks/dimensions.ts';
import type { Engine } from './engine.ts';
import {
  type EdgeReport,
  type EdgeState,
  type joinReply,
  joinRequest,
  readMessage,
  report,
  saltState,
} from './messages.ts';
import type { Publisher } from './publisher.ts';
import type { EdgeRow, FleetLogQueries, FleetQueries } from './queries.ts';
import type { FleetSeal } from './seal.ts';
import { inTurns } from './stream-reader.ts';
import { latest } from './streams.ts';
import type { FleetSubjects } from './subjects.ts';
import { hashOfSecret } from './token.ts';

/** What an edge last said of itself, and when. */
export interface HeardReport extends EdgeReport {
  heardAt: number;
}

interface Options {
  queries: FleetQueries;
  logQueries: Pick<FleetLogQueries, 'salt' | 'setSalt'>;
  now: () => number;
  randomBytes: (size: number) => Buffer;
  /** Creates a NATS user with that edge's permissions; undefined if all edges share one. */
  issueUser: ((id: number, user: string) => Promise<string>) | undefined;
  /** Called when an edge joined, left or reported. */
  onReport: (id: number, heard: HeardReport) => void;
  /** Called when an edge needs a snapshot. */
  onAsk: () => void;
}

interface Session {
  engine: Engine;
  seal: FleetSeal;
  subjects: FleetSubjects;
  publisher: Publisher;
}

const usedUp = 'This token was used already. Add a new edge and use its token.';

/** What an edge is told about its own state. */
function stateOf({ revoked_at, installation, name }: EdgeRow): EdgeState {
  const state = revoked_at !== null ? 'revoked' : installation === null ? 'waiting' : 'joined';
  return { state, installation, name };
}

/** The origin's side of the edges' requests, through one connection to NATS. */
export function edgeDesk(options: Options, { engine, seal, subjects, publisher }: Session) {
  const { queries, logQueries, now, randomBytes } = options;
  const { state } = subjects;

  /** Why an edge may not join; null if it may. */
  function refusalOf(row: EdgeRow | undefined, secret: string, installation: string): string | null {
    if (!row) return 'This token belongs to another fleet.';
    if (row.revoked_at !== null) return 'This edge was revoked. Add a new one and use its token.';
    if (row.installation !== null) {
      return row.installation === installation ? null : usedUp;
    }
    if (row.token_hash !== hashOfSecret(secret))
      return 'This token is not valid. Add a new edge and use its token.';
    return row.expires_at > now() ? null : 'This token has expired. Add a new edge and use its token.';
  }

  async function join(body: Uint8Array): Promise<z.input<typeof joinReply> & { joined?: number }> {
    const request = readMessage(joinRequest, seal.open(body, subjects.join));
    if (!request) return { error: 'This token belongs to another fleet.', name: '' };
    const { id, secret, installation, user } = request;
    const row = queries.edge(id);
    const error = refusalOf(row, secret, installation);
    if (error !== null || !row) return { error, name: '', revoked: typeof row?.revoked_at === 'number' };
    const issue = options.issueUser;
    if (issue && user === undefined) {
      return { error: 'Update this edge first: it cannot sign in with a key of its own yet.', name: '' };
    }
    if (row.installation !== null && user !== row.user_key) return { error: usedUp, name: '' };
    const jwt = issue && user !== undefined ? await issue(id, user) : undefined;
    // Anyone else with the same token now finds it used.
    if (row.installation === null && !queries.join(id, { installation, user: user ?? null }, now())) {
      return { error: usedUp, name: '' };
    }
    return { joined: id, error: null, name: row.name, ...(jwt !== undefined && { jwt }) };
  }

  async function answerJoins(): Promise<void> {
    for await (const message of inTurns(engine.connection.subscribe(subjects.join))) {
      const { joined, ...reply } = await join(message.data);
      message.respond(seal.seal(JSON.stringify(reply), `${subjects.join} reply`));
      // Its token is already used, and NATS may be unable to store anything: the edge gets what it missed within a
      // minute.
      if (joined !== undefined) void tell(joined).catch(() => {});
    }
  }

  async function hearReports(): Promise<void> {
    for await (const message of inTurns(engine.connection.subscribe(subjects.reports))) {
      const id = Number(message.subject.split('.').at(-1));
      const heard = readMessage(report, seal.open(message.data, message.subject));
      const row = heard && queries.edge(id);
      if (row?.installation === heard?.installation && heard && row?.revoked_at === null) {
        options.onReport(id, { ...heard, heardAt: now() });
      }
    }
  }

  async function hearQuestions(): Promise<void> {
    for await (const message of inTurns(engine.connection.subscribe(subjects.ask))) {
      if (seal.open(message.data, subjects.ask) !== undefined) options.onAsk();
    }
  }

  /** Sends an edge its permissions, also stored in NATS while it is offline. */
  async function tell(id: number): Promise<void> {
    const row = queries.edge(id);
    if (row) await publisher.publishState(state.edge(id), stateOf(row));
  }

  return {
    tell,
    /** Notifies all edges; NATS may be a new server. */
    async tellAll(): Promise<void> {
      await Promise.all(queries.edges().map(({ id }) => tell(id)));
    },
    /** Answers edges until the connection ends. */
    answer: (): Promise<unknown> => Promise.all([answerJoins(), hearReports(), hearQuestions()]),

    /** Shares the salts of today and tomorrow, and has the engine forget those of other days. */
    async shareSalts(): Promise<void> {
      const today = Math.floor(now() / dayMs);
      for (const day of [today, today + 1]) {
        const subject = state.salt(day);
        const found = await latest(engine, state.stream, subject);
        const shared = readMessage(saltState, found && seal.open(found.data, subject));
        if (shared) {
          logQueries.setSalt(day, Buffer.from(shared.salt, 'base64'));
          continue;
        }
        const salt = logQueries.salt(day) ?? randomBytes(32);
        logQueries.setSalt(day, salt);
        await publisher.publishState(subject, { salt: salt.toString('base64') });
      }
      // Of all days that the origin was away or had another clock, too.
      const { state: kept } = await engine.manager.streams.info(state.stream, {
        subjects_filter: `${state.salts}*`,
      });
      const wanted = [state.salt(today), state.salt(today + 1)];
      for (const subject of Object.keys(kept.subjects ?? {})) {
        if (!wanted.includes(subject)) await engine.manager.streams.purge(state.stream, { filter: subject });
      }
    },
  };
}

/** A name for a start of the origin. */
export const newBranch = (): string => randomUUID();
