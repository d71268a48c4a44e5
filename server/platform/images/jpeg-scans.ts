import { setImmediate as nextTurn } from 'node:timers/promises';

const marker = 0xff;
const startOfScan = 0xda;
/** Phones put a film behind it. */
const endOfPicture = 0xd9;
/** Markers that stand alone: TEM, RST0 to RST7, the start of a picture. */
const standsAlone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd8);

/**
 * Markers that are looked at before everybody else gets a turn, about a millisecond; five megabytes can have 2.5
 * million.
 */
const markersAtOnce = 20_000;

/**
 * Whether a JPEG has more scans than `most`. A scan goes over the whole picture again, for as little as forty bytes,
 * and no bound of time reaches into the decoder, which reads all of them before it gives out the first line (T-15).
 */
export async function hasMoreScans(jpeg: Buffer, most: number): Promise<boolean> {
  let scans = 0;
  let looked = 0;
  let at = jpeg.indexOf(marker);
  while (at >= 0 && at + 1 < jpeg.length) {
    const code = jpeg[at + 1] ?? 0;
    looked += 1;
    if (looked % markersAtOnce === 0) await nextTurn();
    // Any number of these may stand before a marker.
    if (code === marker) {
      at += 1;
      continue;
    }
    if (code === endOfPicture) return false;
    if (code === startOfScan) {
      scans += 1;
      if (scans > most) return true;
    }
    // In the data of a scan 0xff is written with a 0 behind it; a segment says how long it is, and may hold anything.
    const hasLength = code !== 0 && !standsAlone(code) && at + 4 <= jpeg.length;
    at = jpeg.indexOf(marker, at + 2 + (hasLength ? jpeg.readUInt16BE(at + 2) : 0));
  }
  return false;
}
