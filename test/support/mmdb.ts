type Value = string | number | Value[] | { [key: string]: Value };

/** An entry of the database: an IPv4 network and its data. */
export interface Network {
  /** `192.0.2.0/24`. */
  range: string;
  content: Value;
}

/**
 * A geolocation database in MaxMind's file format, version 2 (their published specification): a search tree over IPv4
 * addresses with records of 24 bits, sixteen zero bytes, the data, and the metadata.
 */
export function mmdb(databaseType: string, networks: readonly Network[]): Buffer {
  const contents: Buffer[] = [];
  let length = 0;
  /** Each node has two records: the number of another node, what is known (negative: offset + 1), or nothing. */
  const nodes: [left: number | undefined, right: number | undefined][] = [[undefined, undefined]];
  for (const { range, content } of networks) {
    const [address = '', bits = '32'] = range.split('/');
    const number = address.split('.').reduce((all, part) => all * 256 + Number(part), 0);
    let node = 0;
    for (let bit = 0; bit < Number(bits); bit += 1) {
      const side = Math.floor(number / 2 ** (31 - bit)) % 2 === 0 ? 0 : 1;
      const record = nodes[node] as [number | undefined, number | undefined];
      if (bit === Number(bits) - 1) record[side] = -(length + 1);
      else {
        if (record[side] === undefined) record[side] = nodes.push([undefined, undefined]) - 1;
        node = record[side] as number;
      }
    }
    const written = encoded(content);
    contents.push(written);
    length += written.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, records] of nodes.entries()) {
    for (const [side, record] of records.entries()) {
      const value =
        record === undefined ? nodes.length : record >= 0 ? record : nodes.length + 16 - record - 1;
      tree.writeUIntBE(value, index * 6 + side * 3, 3);
    }
  }
  const description = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: databaseType,
    description: { en: 'made for a test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...contents, marker, description]);
}

const types = { string: 2, number: 6, object: 7, array: 11 };

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(types.string, text.length), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(types.number, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(types.array, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    head(types.object, entries.length),
    ...entries.flatMap(([key, entry]) => [encoded(key), encoded(entry)]),
  ]);
}

/** Type and size; types above 7 stand in a byte of their own. No test needs a size of 285 or more. */
function head(type: number, size: number): Buffer {
  const isLong = size >= 29;
  const sized = isLong ? 29 : size;
  return Buffer.from([
    ...(type > 7 ? [sized, type - 7] : [type * 32 + sized]),
    ...(isLong ? [size - 29] : []),
  ]);
}
