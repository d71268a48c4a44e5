import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { readMessage, unitForm } from './messages.ts';
import type { Unit } from './records.ts';

/** Unpacked, a unit is at most this large. Beyond, a snapshot tells edges what is new. */
export const mostUnitBytes = 32 * 2 ** 20;
/** What an edge reads on the thread that answers, unpacked. */
export const mostBytesHere = 256 * 1024;
/**
 * Records that are put in place on the thread that answers, and how large they may be together; others go into a new
 * replica.
 */
export const mostRecordsInPlace = 300;
const mostBytesInPlace = 2 * 2 ** 20;

/**
 * A unit that came to an edge: with its records, or packed as it came where these do not go into the replica that
 * answers.
 */
export type ArrivedUnit = Pick<Unit, 'epoch' | 'schema' | 'from' | 'to'> &
  (Pick<Unit, 'tables'> | { packed: Uint8Array });

const inflate = promisify(inflateRaw);
const bounds = { maxOutputLength: mostUnitBytes };

/** A unit as it travels, before it is sealed; `many` where it is too large for that. */
export function packUnit(unit: Unit): Buffer | 'many' {
  const text = Buffer.from(JSON.stringify(unit));
  return text.length > mostUnitBytes ? 'many' : deflateRawSync(text, { level: 1 });
}

/** The same back, in a thread where it may take its time; undefined for what is none. */
export function unpackUnit(packed: Uint8Array): Unit | undefined {
  try {
    return readMessage(unitForm, inflateRawSync(packed, bounds));
  } catch {
    // Sealed by this fleet, and still nothing of ours: a version that packs otherwise.
    return undefined;
  }
}

/** What of a unit is for the thread that answers; called in another one. */
export function arrivedUnit(packed: Uint8Array): ArrivedUnit | undefined {
  const unit = unpackUnit(packed);
  if (!unit) return undefined;
  const { epoch, schema, from, to, tables } = unit;
  const isSmall = sizeOf(unit) <= mostRecordsInPlace && bytesOf(unit) <= mostBytesInPlace;
  return { epoch, schema, from, to, ...(isSmall ? { tables } : { packed }) };
}

/**
 * Reads a unit; undefined for what is none. Visitors are answered meanwhile: what is large, `elsewhere` reads, and may
 * reject.
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
