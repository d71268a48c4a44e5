import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ObjectStore } from '@nats-io/obj';
import { freeBytesOf } from '../../platform/database/disk-space.ts';
import type { Engine } from './engine.ts';
import { readPieces, sweepBucket } from './object-pieces.ts';
import { makeCopies } from './stream-room.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const mib = 2 ** 20;
/** The maximum size of a snapshot. */
const mostBytes = 8192 * mib;
const kept = 2;
/** What clicks need meanwhile. */
const spareBytes = 16 * mib;
/** Names of snapshots contain their epoch and position. */
const byNumbers = new Intl.Collator('en', { numeric: true });

/** The object store of a fleet. The origin creates it. */
async function storeOf(engine: Engine, name: string, make: boolean): Promise<ObjectStore> {
  const { Objm } = await import('@nats-io/obj');
  const stores = new Objm(engine.streams);
  return make
    ? await makeCopies(engine.connection, (replicas) => stores.create(name, { replicas }))
    : await stores.open(name, false);
}

/** Compresses and seals a file and puts it into the object store; removes older ones but the one before. */
export async function putSnapshot(
  engine: Engine,
  store: string,
  { file, name, key }: { file: string; name: string; key: Buffer },
): Promise<void> {
  const objects = await storeOf(engine, store, true);
  await objects.put({ name }, Readable.toWeb(Readable.from(sealed(file, key))) as ReadableStream<Uint8Array>);
  const all = await objects.list();
  // Ordered by position: the clock of this machine may have been set back since the previous one.
  const others = all
    .filter((each) => !each.deleted && each.name !== name)
    .map((each) => each.name)
    .sort((one, other) => byNumbers.compare(other, one));
  for (const each of others.slice(kept - 1)) await objects.delete(each);
}

/** Whether the object store has a snapshot. */
export async function hasSnapshot(engine: Engine, store: string, name: string): Promise<boolean> {
  const found = await (await storeOf(engine, store, true)).info(name);
  return found !== null && !found.deleted;
}

/** Deletes incomplete snapshots; call it while none is being uploaded. */
export async function sweepSnapshots(engine: Engine, store: string): Promise<void> {
  const objects = await storeOf(engine, store, true);
  await sweepBucket(
    engine,
    store,
    (await objects.list()).filter(({ deleted }) => !deleted),
  );
}

async function* sealed(file: string, key: Buffer): AsyncGenerator<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  yield nonce;
  // Read errors end the compressed stream, so that its reader gets them.
  const compressed = createGzip({ level: 1 });
  pipe(createReadStream(file), compressed, () => {});
  for await (const piece of compressed) yield cipher.update(piece as Buffer);
  yield cipher.final();
  yield cipher.getAuthTag();
}

/** Fetches a snapshot, opens and unpacks it into a file. Throws when it is missing, damaged, or not of this fleet. */
export async function getSnapshot(
  engine: Engine,
  store: string,
  {
    name,
    file,
    key,
    freeBytes = freeBytesOf,
  }: {
    name: string;
    file: string;
    key: Buffer;
    freeBytes?: ((folder: string) => Promise<number>) | undefined;
  },
): Promise<void> {
  const objects = await storeOf(engine, store, false);
  const found = await objects.info(name);
  if (!found || found.deleted || !/^\w{1,64}$/.test(found.nuid))
    throw new Error(`the snapshot ${name} is not in the engine any more`);
  const { nuid, size } = found;
  if (size > mostBytes) throw new Error(`the snapshot ${name} is larger than any of ours`);
  const free = await freeBytes(dirname(file));
  // As received, decompressed, and as a replica in addition to the active one.
  const needed = 3 * size + spareBytes;
  if (free < needed) {
    const why = `a new copy of the links needs ${inMib(needed)} MiB at least, and the disk has ${inMib(free)} MiB free`;
    throw Object.assign(new Error(why), { code: 'ENOSPC' });
  }
  const packed = `${file}.sealed`;
  try {
    const { received } = await receive(engine, packed, { bucket: store, nuid, most: size });
    if (received !== size) throw new Error(`${received} of ${size} bytes of the snapshot ${name} came`);
    await unseal(packed, file, key);
  } finally {
    await rm(packed, { force: true });
  }
}

const inMib = (bytes: number): number => Math.ceil(bytes / mib);

/** Writes an object into a file, as fast as the disk takes it. */
async function receive(engine: Engine, file: string, object: Parameters<typeof readPieces>[1]) {
  const handle = await open(file, 'wx', 0o600);
  try {
    return await readPieces(engine, object, async (bytes) => await handle.writeFile(bytes));
  } finally {
    await handle.close();
  }
}

async function unseal(packed: string, file: string, key: Buffer): Promise<void> {
  const handle = await open(packed);
  try {
    const { size } = await handle.stat();
    if (size < nonceBytes + tagBytes) throw new Error('the snapshot is cut short');
    const nonce = Buffer.alloc(nonceBytes);
    const tag = Buffer.alloc(tagBytes);
    await handle.read(nonce, 0, nonceBytes, 0);
    await handle.read(tag, 0, tagBytes, size - tagBytes);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(tag);
    const body = createReadStream(packed, { start: nonceBytes, end: size - tagBytes - 1 });
    // Decrypted data is valid only if the tag matches, which is known at the end: until then the file is not opened.
    await pipeline(body, decipher, createGunzip(), createWriteStream(file));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
