/**
 * The disk behind `recorded-disk.ts`: a FUSE file system of one file, which is all that its root is. Every write that
 * reaches it goes into the image and, with its place, into a log; so does every order to flush. Run as
 * `node recorded-disk-process.ts IMAGE LOG` with /dev/fuse as descriptor 3; ends when the file system is unmounted.
 */
import { fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { encodeRecord } from './recorded-disk-log.ts';

/** What the kernel asks for: `enum fuse_opcode` of linux/fuse.h. */
const asked = {
  forget: 2,
  getattr: 3,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
};
const unanswered = new Set([asked.forget, asked.batchForget, asked.interrupt]);
const notImplemented = -38;
const headerBytes = 40;
const mostBytes = 1_048_576;
const device = 3;

if (endianness() !== 'LE') throw new Error('The messages of FUSE are read as little-endian here.');
const [imagePath = '', logPath = ''] = process.argv.slice(2);
const image = openSync(imagePath, 'r+');
const log = openSync(logPath, 'a');
const size = fstatSync(image).size;

const message = Buffer.alloc(mostBytes + 4096);
for (;;) {
  let length: number;
  try {
    length = readSync(device, message);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENODEV') break;
    if (code === 'EINTR' || code === 'ENOENT') continue;
    throw error;
  }
  answer(message.subarray(0, length));
}

function answer(request: Buffer): void {
  const opcode = request.readUInt32LE(4);
  if (unanswered.has(opcode)) return;
  const body = answerTo(opcode, request.subarray(headerBytes));
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + (body?.length ?? 0), 0);
  head.writeInt32LE(body ? 0 : notImplemented, 4);
  head.writeBigUInt64LE(request.readBigUInt64LE(8), 8);
  writeSync(device, body ? Buffer.concat([head, body]) : head);
}

/** The body of an answer; undefined for what a disk has no need of. */
function answerTo(opcode: number, body: Buffer): Buffer | undefined {
  switch (opcode) {
    case asked.init:
      return begin(body);
    case asked.getattr:
      return attributes();
    case asked.statfs:
      return Buffer.alloc(80);
    case asked.open:
      return Buffer.alloc(16);
    case asked.read:
      return read(body);
    case asked.write:
      return write(body);
    case asked.fsync:
      append(encodeRecord('flush'));
      return Buffer.alloc(0);
    case asked.flush:
    case asked.release:
    case asked.destroy:
      return Buffer.alloc(0);
    default:
      return undefined;
  }
}

function read(body: Buffer): Buffer {
  const content = Buffer.alloc(body.readUInt32LE(16));
  const bytes = readSync(image, content, 0, content.length, Number(body.readBigUInt64LE(8)));
  return content.subarray(0, bytes);
}

function write(body: Buffer): Buffer {
  const offset = Number(body.readBigUInt64LE(8));
  const bytes = body.readUInt32LE(16);
  const content = body.subarray(40, 40 + bytes);
  append(encodeRecord({ offset, content }));
  writeSync(image, content, 0, bytes, offset);
  const done = Buffer.alloc(8);
  done.writeUInt32LE(bytes);
  return done;
}

/** One call, so that who reads the log at the same time sees whole records or the beginning of one. */
function append(record: Buffer): void {
  if (writeSync(log, record) !== record.length) throw new Error('There is no space for the log of the disk.');
}

function begin(body: Buffer): Buffer {
  const bigWrites = 1 << 5;
  const maxPages = 1 << 22;
  const done = Buffer.alloc(64);
  done.writeUInt32LE(7, 0);
  done.writeUInt32LE(31, 4);
  done.writeUInt32LE(body.readUInt32LE(8), 8);
  done.writeUInt32LE(bigWrites | maxPages, 12);
  done.writeUInt16LE(16, 16);
  done.writeUInt16LE(12, 18);
  done.writeUInt32LE(mostBytes, 20);
  done.writeUInt32LE(1, 24);
  done.writeUInt16LE(mostBytes / 4096, 28);
  return done;
}

/** The root: a regular file of the image's size that only its owner may open. */
function attributes(): Buffer {
  const done = Buffer.alloc(104);
  done.writeBigUInt64LE(3600n, 0);
  done.writeBigUInt64LE(1n, 16);
  done.writeBigUInt64LE(BigInt(size), 24);
  done.writeBigUInt64LE(BigInt(size / 512), 32);
  done.writeUInt32LE(0o100600, 76);
  done.writeUInt32LE(1, 80);
  done.writeUInt32LE(4096, 96);
  return done;
}
