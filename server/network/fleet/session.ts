import type { Engine } from './engine.ts';
import type { FleetSeal } from './seal.ts';
import type { FleetSubjects } from './subjects.ts';

/** What a machine of a fleet talks through: its connection to the engine, the fleet's key, and the names there. */
export interface FleetSession {
  engine: Engine;
  seal: FleetSeal;
  subjects: FleetSubjects;
}
