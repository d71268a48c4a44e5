import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { readMessage, unitForm } from './messages.ts';
import type { Unit } from './records.ts';

/** Unpacked, a unit is at most this large: an edge reads it on the thread that answers. Beyond, a snapshot tells edges what is new. */
export const mostUnitBytes = 32 * 2 ** 20;

const inflate = promisify(inflateRaw);

/** A unit as it travels, before it is sealed; `many` where it is too large for that. */
export function packUnit(unit: Unit): Buffer | 'many' {
  const text = Buffer.from(JSON.stringify(unit));
  return text.length > mostUnitBytes ? 'many' : deflateRawSync(text, { level: 1 });
}

/** The same back; undefined for what is none. Visitors are answered while it is unpacked. */
export async function unpackUnit(body: Buffer): Promise<Unit | undefined> {
  try {
    return readMessage(unitForm, await inflate(body, { maxOutputLength: mostUnitBytes }));
  } catch {
    // Sealed by this fleet, and still nothing of ours: a version that packs otherwise.
    return undefined;
  }
}
