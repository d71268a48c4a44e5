import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../platform/database/disk.ts';

const form = z.object({
  /** Made once for this folder. */
  installation: z.uuid(),
  fleet: z.string(),
  key: z.string(),
  url: z.string(),
  /** Where all edges share a user of the engine. */
  user: z.string().optional(),
  password: z.string().optional(),
  /** Where this edge has one of its own: its credentials file. */
  credentials: z.string().optional(),
  /**
   * The credentials of the join token: what they still allow is to ask the origin why the engine lets this edge in no
   * more.
   */
  asking: z.string().optional(),
  id: z.int(),
  name: z.string(),
  /** Whether it may never answer again. */
  revoked: z.boolean(),
});

/** What a folder knows of the fleet that it joined. */
export type Membership = z.output<typeof form>;

const fileOf = (folder: string) => join(folder, 'edge.json');

/** Undefined where the folder never joined a fleet. Throws when what is there cannot be read. */
export function findMembership(folder: string): Membership | undefined {
  const file = fileOf(folder);
  if (!existsSync(file)) return undefined;
  try {
    return form.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} cannot be read. Add a new edge and join with its token in an empty folder.`, {
      cause,
    });
  }
}

/** Keeps it for this user alone: it holds the fleet's key. */
export function keepMembership(folder: string, membership: Membership): void {
  writeWhole(fileOf(folder), `${JSON.stringify(membership)}\n`);
}
