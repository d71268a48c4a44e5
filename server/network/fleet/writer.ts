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

  const isOurs = (run: string | undefined, sequence: number, isFirst: boolean): boolean =>
    sequence === 0 || (run !== undefined && (run === options.branch || (isFirst && options.isOwnRun(run))));

  return {
    /** Whether the next claim takes the fleet over. */
    takesOver: () => takeOver,
    /**
     * Writes down that this start writes the fleet; `isFirst` with each connection, when another start of the same data
     * folder may have done so before. Throws EngineFailure where another server does.
     */
    async claim(engine: Engine, isFirst: boolean): Promise<void> {
      const { writer } = subjects.state;
      const { run, sequence } = await last(engine);
      if (!isOurs(run, sequence, isFirst) && !takeOver) throw takenByAnother();
      takeOver = false;
      const body = seal.seal(JSON.stringify({ run: options.branch, at: options.now() }), writer);
      await engine.streams.publish(writer, body, { expect: { lastSubjectSequence: sequence } });
    },
    /**
     * Limits may have been counted without this engine since this origin wrote there: edges wait until they are
     * updated.
     */
    async holdLimits(engine: Engine): Promise<void> {
      const { limits, state } = subjects;
      if (!(await hasStream(engine, limits.stream, options.fleet))) return;
      if (await hasStream(engine, state.stream, options.fleet)) {
        const { run, sequence } = await last(engine);
        if (run !== undefined && (run === options.branch || options.isGoingOn(run))) return;
        // Another one may be at work there.
        if (!isOurs(run, sequence, true) && !takeOver) return;
      }
      await engine.manager.streams.purge(limits.stream, { filter: limits.ready });
    },
  };
}
