import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { readMessage, unitForm } from './messages.ts';
import type { Unit } from './records.ts';

/** The maximum uncompressed size of a unit. Beyond that, edges get a snapshot. */
export const mostUnitBytes = 32 * 2 ** 20;
/** What an edge reads on the thread that answers, unpacked. */
export const mostBytesHere = 256 * 1024;
/**
 * Records that are put in place on the thread that answers, and how large they may be together; others go into a new
 * replica.
 */
export const mostRecordsInPlace = 300;
const mostBytesInPlace = 2 * 2 ** 20;

/** A unit on an edge: decoded, or still packed if the active replica does not need its records. */
export type ArrivedUnit = Pick<Unit, 'epoch' | 'schema' | 'from' | 'to'> &
  (Pick<Unit, 'tables'> | { packed: Uint8Array });

const inflate = promisify(inflateRaw);
const bounds = { maxOutputLength: mostUnitBytes };

/** A unit as it travels, before it is sealed; `many` where it is too large for that. */
export function packUnit(unit: Unit): Buffer | 'many' {
  const text = Buffer.from(JSON.stringify(unit));
  return text.length > mostUnitBytes ? 'many' : deflateRawSync(text, { level: 1 });
}

/** The reverse, in a worker thread; undefined if invalid. */
export function unpackUnit(packed: Uint8Array): Unit | undefined {
  try {
    return readMessage(unitForm, inflateRawSync(packed, bounds));
  } catch {
    // Encrypted by this fleet but invalid: a version with another format.
    return undefined;
  }
}

/** The part of a unit for the main thread; called in a worker. */
export function arrivedUnit(packed: Uint8Array): ArrivedUnit | undefined {
  const unit = unpackUnit(packed);
  if (!unit) return undefined;
  const { epoch, schema, from, to, tables } = unit;
  const isSmall = sizeOf(unit) <= mostRecordsInPlace && bytesOf(unit) <= mostBytesInPlace;
  return { epoch, schema, from, to, ...(isSmall ? { tables } : { packed }) };
}

/**
 * Decodes a unit; undefined if invalid. Visitors are served meanwhile: `elsewhere` decodes large ones, and may reject.
 */
export async function readUnit(
  packed: Uint8Array,
  elsewhere: (packed: Uint8Array) => Promise<ArrivedUnit | undefined>,
): Promise<ArrivedUnit | undefined> {
  let text: Buffer;
  try {
    text = await inflate(packed, { maxOutputLength: mostBytesHere });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? elsewhere(packed) : undefined;
  }
  return readMessage(unitForm, text);
}

/** How many records a unit is about. */
export function sizeOf({ tables }: Pick<Unit, 'tables'>): number {
  return Object.values(tables).reduce((sum, { keys }) => sum + keys.length, 0);
}

function bytesOf({ tables }: Unit): number {
  let bytes = 0;
  for (const { rows } of Object.values(tables)) {
    for (const row of rows) for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
  }
  return bytes;
}
