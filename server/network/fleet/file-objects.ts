import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ObjectStore } from '@nats-io/obj';
import type { Engine } from './engine.ts';
import { readPieces, sweepBucket } from './object-pieces.ts';
import type { FleetSession } from './session.ts';
import { hasRoomFor, leastBound, makeCopies } from './stream-room.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Below the limit of a message that engines come with. */
const pieceBytes = 256 * 1024;
/** The share of the bucket reserved for overhead. */
const boundShare = 15 / 16;

interface Content {
  /** Its random file name at the origin. */
  storage: string;
  /** Bytes. */
  size: number;
}

/** The metadata of a content in NATS. */
export interface FileObject {
  storage: string;
  size: number;
  /** Milliseconds since 1970. */
  putAt: number;
}

/** The content in NATS differs from what the origin stored, or is incomplete. */
export class DamagedObject extends Error {}

/** The bucket of contents. The origin creates it. */
async function bucketOf({ engine, subjects }: FleetSession, make: boolean): Promise<ObjectStore> {
  const { Objm, setSha256Backend } = await import('@nats-io/obj');
  setSha256Backend('native');
  const stores = new Objm(engine.streams);
  return make
    ? await makeCopies(engine.connection, (replicas) => stores.create(subjects.files.bucket, { replicas }))
    : await stores.open(subjects.files.bucket, false);
}

/**
 * Limits the size of the bucket, and returns the limit; undefined if NATS cannot reserve anything, and its own limit
 * applies. A manually set limit is kept.
 */
async function boundBucket({ manager }: Engine, stream: string, most: number): Promise<number | undefined> {
  const { max_bytes } = (await manager.streams.info(stream)).config;
  if (max_bytes > 0) return max_bytes;
  for (let bound = Math.ceil(most / boundShare); bound >= leastBound; bound = Math.floor(bound / 2)) {
    if (await hasRoomFor(() => manager.streams.update(stream, { max_bytes: bound }))) return bound;
  }
  return undefined;
}

/**
 * Opens the bucket for the origin, which alone may write it; `most` is how many bytes contents may take there together.
 */
export async function openBucket(session: FleetSession, most: number) {
  const { bucket, stream } = session.subjects.files;
  const objects = await bucketOf(session, true);
  const key = session.seal.derive('files');
  const bound = await boundBucket(session.engine, stream, most);
  return {
    /** Bytes that contents may take together. */
    mostBytes: Math.min(most, Math.floor((bound ?? Number.POSITIVE_INFINITY) * boundShare)),
    /** Seals a content, piece by piece, and puts it there. */
    async put({ storage, size }: Content, content: FileHandle): Promise<void> {
      const pieces = Readable.from(sealed(content, { storage, size, key }), { highWaterMark: 2 });
      await objects.put(
        { name: storage, options: { max_chunk_size: pieceBytes } },
        Readable.toWeb(pieces) as globalThis.ReadableStream<Uint8Array>,
      );
    },
    /** When a content was put there; undefined where it is not. */
    async find(storage: string): Promise<FileObject | undefined> {
      const found = await objects.info(storage);
      return found && !found.deleted ? objectOf(found) : undefined;
    },
    /** All that is there, the oldest first. */
    async list(): Promise<FileObject[]> {
      const all = (await objects.list()).filter(({ deleted }) => !deleted).map(objectOf);
      return all.sort((one, other) => one.putAt - other.putAt);
    },
    remove: async (storage: string): Promise<void> => void (await objects.delete(storage)),
    /** Deletes incomplete contents from NATS; call it while none is being uploaded. */
    sweep: async (): Promise<void> =>
      await sweepBucket(
        session.engine,
        bucket,
        (await objects.list()).filter(({ deleted }) => !deleted),
      ),
  };
}

export type FileBucket = Awaited<ReturnType<typeof openBucket>>;

const objectOf = ({ name, size, mtime }: { name: string; size: number; mtime: string }): FileObject => ({
  storage: name,
  size: size - nonceBytes - tagBytes,
  putAt: Date.parse(mtime) || 0,
});

async function* sealed(
  content: FileHandle,
  { storage, size, key }: Content & { key: Buffer },
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(storage));
  yield nonce;
  let sent = 0;
  const bytes = content.createReadStream({ start: 0, highWaterMark: pieceBytes, autoClose: false });
  for await (const piece of bytes) {
    sent += (piece as Buffer).length;
    yield cipher.update(piece as Buffer);
  }
  // A partial file would look complete to readers.
  if (sent !== size) throw new Error(`the stored content ${storage} has ${sent} bytes, not ${size}`);
  cipher.final();
  yield cipher.getAuthTag();
}

/**
 * Passes a content to `write`, chunk by chunk; false if NATS has none. The written data is valid only when this
 * resolves to true: only then it is verified to be from this fleet's origin. Throws DamagedObject, the errors of
 * `write`, and connection errors.
 */
export async function getContent(
  session: FleetSession,
  { storage, size }: Content,
  write: (bytes: Buffer) => Promise<void>,
): Promise<boolean> {
  const { engine, seal, subjects } = session;
  const { bucket } = subjects.files;
  const found = await (await bucketOf(session, false)).info(storage);
  if (!found || found.deleted) return false;
  const opener = contentOpener({ storage, size, key: seal.derive('files') });
  if (found.size !== opener.sealedBytes || !/^\w{1,64}$/.test(found.nuid)) {
    throw new DamagedObject(`the engine has another content under ${storage}`);
  }
  const { received, isAll } = await readPieces(
    engine,
    { bucket, nuid: found.nuid, most: opener.sealedBytes },
    async (bytes) => await write(opener.take(bytes)),
  );
  // A slow engine has no damaged content, and putting it there again would keep all others from reading it.
  if (received < opener.sealedBytes && !isAll) throw new Error('the engine stopped sending a content');
  opener.finish(received);
  return true;
}

/** Opens the pieces of a sealed content: the nonce, the bytes, and the tag that proves all of them. */
function contentOpener({ storage, size, key }: Content & { key: Buffer }) {
  const sealedBytes = nonceBytes + size + tagBytes;
  const nonce = Buffer.alloc(nonceBytes);
  const tag = Buffer.alloc(tagBytes);
  let at = 0;
  let decipher: ReturnType<typeof makeDecipher> | undefined;

  const makeDecipher = () =>
    createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(storage));

  return {
    sealedBytes,
    take(data: Uint8Array): Buffer {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
      const bodyAt = Math.min(bytes.length, Math.max(0, nonceBytes - at));
      const tagAt = Math.min(bytes.length, Math.max(0, nonceBytes + size - at));
      bytes.copy(nonce, at, 0, bodyAt);
      if (tagAt < bytes.length) bytes.copy(tag, at + tagAt - nonceBytes - size, tagAt);
      at += bytes.length;
      if (tagAt === bodyAt) return Buffer.alloc(0);
      decipher ??= makeDecipher();
      return decipher.update(bytes.subarray(bodyAt, tagAt));
    },
    /** Throws DamagedObject unless it is complete and its encryption is valid. */
    finish(received: number): void {
      try {
        if (received !== sealedBytes || !decipher)
          throw new Error(`${received} of ${sealedBytes} bytes came`);
        decipher.setAuthTag(tag).final();
      } catch (cause) {
        throw new DamagedObject(`what the engine has of ${storage} is damaged`, { cause });
      }
    },
  };
}
