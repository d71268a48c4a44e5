import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../platform/database/disk.ts';

const form = z.object({
  /** Created once for this folder. */
  installation: z.uuid(),
  fleet: z.string(),
  key: z.string(),
  url: z.string(),
  /** Where all edges share a user of the engine. */
  user: z.string().optional(),
  password: z.string().optional(),
  /** The credentials file, if this edge has its own user. */
  credentials: z.string().optional(),
  /** The credentials of the join token: they still permit asking the origin why NATS rejects this edge. */
  asking: z.string().optional(),
  id: z.int(),
  name: z.string(),
  /** Whether it may never answer again. */
  revoked: z.boolean(),
});

/** What a folder knows about the fleet that it joined. */
export type Membership = z.output<typeof form>;

const fileOf = (folder: string) => join(folder, 'edge.json');

/** Undefined if the folder never joined a fleet. Throws if the file is unreadable. */
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
