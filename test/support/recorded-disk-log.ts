import { closeSync, openSync, readSync } from 'node:fs';

export interface DiskWrite {
  offset: number;
  content: Buffer;
}
/** A write that reached the disk, or a flush, which must preserve everything before it in a power cut. */
export type DiskRecord = DiskWrite | 'flush';

const headBytes = 12;
const flushMark = 0xffffffff;

/** One record of the log: offset (8 bytes), length or the mark of a flush (4), content. */
export function encodeRecord(record: DiskRecord): Buffer {
  const head = Buffer.alloc(headBytes);
  if (record === 'flush') {
    head.writeUInt32LE(flushMark, 8);
    return head;
  }
  head.writeBigUInt64LE(BigInt(record.offset));
  head.writeUInt32LE(record.content.length, 8);
  return Buffer.concat([head, record.content]);
}

/** The whole records of a log from one place to another, each with the place of the next one. */
export function* readRecords(
  path: string,
  from: number,
  to: number,
): Generator<{ record: DiskRecord; next: number }> {
  const log = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    for (let at = from; at + headBytes <= to; ) {
      readSync(log, head, 0, headBytes, at);
      at += headBytes;
      const length = head.readUInt32LE(8);
      if (length === flushMark) {
        yield { record: 'flush', next: at };
        continue;
      }
      if (at + length > to) return;
      const content = Buffer.alloc(length);
      readSync(log, content, 0, length, at);
      at += length;
      yield { record: { offset: Number(head.readBigUInt64LE()), content }, next: at };
    }
  } finally {
    closeSync(log);
  }
}
