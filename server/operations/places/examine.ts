import { Reader, type Response } from 'mmdb-lib';
import { placeIn } from '../../visits/redirects/geolocation.ts';

/** The contents of a geolocation database. */
export interface Examined {
  type: string;
  /** UTC milliseconds. */
  built: number;
  bytes: number;
  places: number;
  regions: boolean;
  cities: boolean;
}

/** Sampled locations: all of the first ones, then every nth. */
const lookedUp = 500;
const stride = 1_000;

/**
 * Reads a geolocation database completely: traverses the search tree of IPv4 addresses, counts the distinct locations,
 * and looks some of them up. Throws a readable Error if it is invalid, or has no countries. Call it in a worker
 * thread.
 */
export function examine(content: Buffer): Examined {
  const reader = opened(content);
  const { databaseType, buildEpoch, nodeCount, searchTreeSize } = reader.metadata;
  const record = recordsOf(content, reader);
  const seen = new Uint8Array(Math.ceil((content.length - searchTreeSize) / 8));
  const found = { places: 0, countries: 0, regions: false, cities: false };

  function note(value: number, address: number): void {
    const offset = value - nodeCount;
    const place = offset >> 3;
    if (offset < 16 || place >= seen.length) throw damaged();
    if (((seen[place] as number) & (1 << (offset & 7))) !== 0) return;
    seen[place] = (seen[place] as number) | (1 << (offset & 7));
    found.places += 1;
    if (found.places > lookedUp && found.places % stride !== 0) return;
    const { country, region, city } = placeIn(reader, addressText(address));
    if (country !== '') found.countries += 1;
    if (region !== '') found.regions = true;
    if (city !== '') found.cities = true;
  }

  // Each node once: a cyclic tree would never end.
  let visits = 0;
  const waiting = [{ node: firstNode(reader, record), depth: 0, address: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth, address } = next;
    if (node === nodeCount) continue;
    if (node > nodeCount) {
      note(node, address);
      continue;
    }
    visits += 1;
    if (depth === 32 || visits > nodeCount) throw damaged();
    const bit = 2 ** (31 - depth);
    waiting.push({ node: record(node, 1), depth: depth + 1, address: address + bit });
    waiting.push({ node: record(node, 0), depth: depth + 1, address });
  }
  if (found.countries === 0) {
    throw new Error('This database has no countries. Choose one of countries or cities.');
  }
  const { places, regions, cities } = found;
  return { type: databaseType, built: buildEpoch.getTime(), bytes: content.length, places, regions, cities };
}

function opened(content: Buffer): Reader<Response> {
  let reader: Reader<Response>;
  try {
    reader = new Reader<Response>(content);
  } catch {
    throw new Error('This is not a geolocation database in the MMDB format.');
  }
  const { nodeCount, recordSize, searchTreeSize } = reader.metadata;
  const isWhole = nodeCount > 0 && [24, 28, 32].includes(recordSize) && searchTreeSize + 16 < content.length;
  if (!isWhole) throw damaged();
  return reader;
}

/** Returns a reader of the two records of a node: another node, a location, or (the number of nodes) nothing. */
function recordsOf(content: Buffer, { metadata }: Reader<Response>): (node: number, side: 0 | 1) => number {
  const { recordSize, nodeByteSize } = metadata;
  return (node, side) => {
    const start = node * nodeByteSize;
    if (recordSize === 24) return content.readUIntBE(start + side * 3, 3);
    if (recordSize === 32) return content.readUInt32BE(start + side * 4);
    // 28 bits: the byte in the middle has the upper four of both.
    const middle = content.readUInt8(start + 3);
    return side === 0
      ? (middle >> 4) * 2 ** 24 + content.readUIntBE(start, 3)
      : (middle & 15) * 2 ** 24 + content.readUIntBE(start + 4, 3);
  };
}

/** Where IPv4 addresses begin: in a tree of IPv6 addresses behind 96 zeros. */
function firstNode({ metadata }: Reader<Response>, record: (node: number, side: 0 | 1) => number): number {
  let node = 0;
  if (metadata.ipVersion === 4) return node;
  for (let bit = 0; bit < 96 && node < metadata.nodeCount; bit += 1) node = record(node, 0);
  return node;
}

function addressText(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

function damaged(): Error {
  return new Error('This geolocation database is damaged. Download it again.');
}
