import { setImmediate as nextTurn } from 'node:timers/promises';

const marker = 0xff;
const startOfScan = 0xda;
/** Phones append a video to it. */
const endOfPicture = 0xd9;
/** Markers without a segment: TEM, RST0 to RST7, the start of a picture. */
const standsAlone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd8);

/** Markers processed before yielding, about a millisecond; five megabytes can have 2.5 million. */
const markersAtOnce = 20_000;

/**
 * Whether a JPEG has more scans than `most`. Each scan covers the whole picture again, for as little as forty bytes,
 * and the decoder cannot be interrupted: it reads all of them before it returns the first line (T-15).
 */
export async function hasMoreScans(jpeg: Buffer, most: number): Promise<boolean> {
  let scans = 0;
  let looked = 0;
  let at = jpeg.indexOf(marker);
  while (at >= 0 && at + 1 < jpeg.length) {
    const code = jpeg[at + 1] ?? 0;
    looked += 1;
    if (looked % markersAtOnce === 0) await nextTurn();
    // Any number of these may precede a marker.
    if (code === marker) {
      at += 1;
      continue;
    }
    if (code === endOfPicture) return false;
    if (code === startOfScan) {
      scans += 1;
      if (scans > most) return true;
    }
    // In scan data 0xff is followed by 0; a segment has a length, and may contain anything.
    const hasLength = code !== 0 && !standsAlone(code) && at + 4 <= jpeg.length;
    at = jpeg.indexOf(marker, at + 2 + (hasLength ? jpeg.readUInt16BE(at + 2) : 0));
  }
  return false;
}
