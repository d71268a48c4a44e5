import type { Engine } from './engine.ts';
import type { FleetSeal } from './seal.ts';
import type { FleetSubjects } from './subjects.ts';

/**
 * The means of communication of a fleet's machine: its connection to the engine, the fleet's key, and the subjects
 * there.
 */
export interface FleetSession {
  engine: Engine;
  seal: FleetSeal;
  subjects: FleetSubjects;
}
