import type { Engine } from './engine.ts';
import { readMessage, writerState } from './messages.ts';
import type { FleetSeal } from './seal.ts';
import { hasStream, latest, takenByAnother } from './streams.ts';
import type { FleetSubjects } from './subjects.ts';

export interface WriterOptions {
  seal: FleetSeal;
  subjects: FleetSubjects;
  /** The fleet's id. */
  fleet: string;
  /** The name of this start. */
  branch: string;
  /** Whether a start of that name was one of this data folder. */
  isOwnRun: (name: string) => boolean;
  /** Whether that start was the last one, and limits were counted by the fleet ever since. */
  isGoingOn: (name: string) => boolean;
  now: () => number;
  /** Takes over the fleet from its current writer. */
  takeOver: boolean;
}

/** Within it, a server that is connected says that it writes; one that has ended is known at once. */
const answerMs = 1_000;

/** The one writer of a fleet: the engine holds the name of the start that writes, and no other may. */
export function fleetWriter(options: WriterOptions) {
  const { seal, subjects } = options;
  let { takeOver } = options;

  /** The last writer of the fleet; `sequence` is 0 if there was none, `run` is also undefined if it cannot be read. */
  async function last(engine: Engine): Promise<{ sequence: number; run: string | undefined }> {
    const { state } = subjects;
    const found = await latest(engine, state.stream, state.writer);
    const writer = readMessage(writerState, found && seal.open(found.data, state.writer));
    return { sequence: found?.seq ?? 0, run: writer?.run };
  }

  /** The start that is connected as the writer; undefined if none says so. */
  async function connected(engine: Engine): Promise<string | undefined> {
    try {
      const { data } = await engine.connection.request(subjects.writer, undefined, { timeout: answerMs });
      return readMessage(writerState, seal.open(data, `${subjects.writer} reply`))?.run;
    } catch {
      // Nobody is there, or it hangs: then it finds out when it renews its claim.
      return undefined;
    }
  }

  /** A copy of a data folder knows the starts of the original, which may still be running. */
  async function isOurs(
    engine: Engine,
    { run, sequence }: Awaited<ReturnType<typeof last>>,
    isFirst: boolean,
  ): Promise<boolean> {
    if (sequence === 0 || run === options.branch) return true;
    if (run === undefined || !isFirst || !options.isOwnRun(run)) return false;
    return (await connected(engine)) !== run;
  }

  return {
    /** Whether the next claim takes the fleet over. */
    takesOver: () => takeOver,
    /**
     * Writes down that this start writes the fleet; `isFirst` with each connection, when another start of the same data
     * folder may have done so before. Throws EngineFailure where another server does.
     */
    async claim(engine: Engine, isFirst: boolean): Promise<void> {
      const { writer } = subjects.state;
      const before = await last(engine);
      if (!takeOver && !(await isOurs(engine, before, isFirst))) throw takenByAnother();
      takeOver = false;
      const body = seal.seal(JSON.stringify({ run: options.branch, at: options.now() }), writer);
      await engine.streams.publish(writer, body, { expect: { lastSubjectSequence: before.sequence } });
    },
    /** Says to whoever asks that this start writes, while the connection lasts. */
    answer(engine: Engine): void {
      engine.connection.subscribe(subjects.writer, {
        callback(error, message) {
          if (error) return;
          const body = JSON.stringify({ run: options.branch, at: options.now() });
          message.respond(seal.seal(body, `${subjects.writer} reply`));
        },
      });
    },
    /**
     * Limits may have been counted without this engine since this origin wrote there: edges wait until they are
     * updated.
     */
    async holdLimits(engine: Engine): Promise<void> {
      const { limits, state } = subjects;
      if (!(await hasStream(engine, limits.stream, options.fleet))) return;
      if (await hasStream(engine, state.stream, options.fleet)) {
        const before = await last(engine);
        const { run } = before;
        // Another one may be at work there.
        if (!takeOver && !(await isOurs(engine, before, true))) return;
        if (run !== undefined && (run === options.branch || options.isGoingOn(run))) return;
      }
      await engine.manager.streams.purge(limits.stream, { filter: limits.ready });
    },
  };
}
