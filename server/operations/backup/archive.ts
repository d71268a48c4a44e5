import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';
import { shapeCheck } from '../../platform/http/json-shape.ts';
import { damaged, type Manifest, manifestName, notABackup, parseManifest, unpackedSize } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** A manifest of half a million contents is about 60 MB; more is not a manifest. */
const maxManifest = 128 * 1024 * 1024;
/** A row of a manifest has five commas and colons and a hash of 64 letters. */
const bytesPerValue = 8;
/** Headers and padding of an entry, with those of a long name. */
const entryOverhead = 4096;

/**
 * Streams a manifest and the files that it lists into one gzipped tar file, with constant memory. `sourceOf` returns
 * the path of an entry's content. Fast compression: most of an instance is pictures and documents that are already
 * compressed.
 */
export async function writeArchive(
  target: string,
  manifest: Manifest,
  sourceOf: (name: string) => string | Buffer,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { readable, controller } = createTarPacker();
  const packed = pipeline(
    // Node's own stream type; the package describes the same with the DOM's.
    Readable.fromWeb(readable as unknown as WebStream<Uint8Array>),
    createGzip({ level: 1 }),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
  const mtime = new Date(manifest.created);
  async function add(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    const body = controller.add({ name, size, type: 'file', mode: 0o600, mtime }).getWriter();
    for await (const chunk of content) {
      await body.ready;
      await body.write(chunk);
      onBytes(chunk.length);
    }
    await body.close();
  }
  const packing = (async () => {
    try {
      const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
      await add(manifestName, text.length, Readable.from([text]));
      for (const { name, size } of manifest.entries) {
        const source = sourceOf(name);
        const content =
          typeof source === 'string' ? createReadStream(source, { highWaterMark: 256 * 1024 }) : [source];
        await add(name, size, Readable.from(content));
      }
      controller.finalize();
    } catch (error) {
      controller.error(error);
      throw error;
    }
  })();
  // The first error is the cause: on a full disk, packing only sees that its reader has gone.
  await Promise.all([packed, packing]);
}

/** What to do with the entries of an archive as they come by. */
export interface ArchiveReader {
  /** Reported first. */
  onManifest(manifest: Manifest): void | Promise<void>;
  /** Takes the content of one entry, whose size and hash are checked while it is read. */
  onEntry(name: string, content: AsyncIterable<Buffer>): Promise<void>;
}

/**
 * Reads an archive sequentially. It is untrusted (T-35): only plain files, only those listed in the manifest and in
 * its order, each with its size and hash, and never more bytes than announced. Throws BackupRefused.
 */
export async function readArchive(file: string, reader: ArchiveReader): Promise<Manifest> {
  const entries = openArchive(file);
  try {
    const { manifest, limit } = await readManifest(entries);
    limit(unpackedSize(manifest) + (manifest.entries.length + 4) * entryOverhead);
    await reader.onManifest(manifest);
    for (const expected of manifest.entries) {
      const entry = await entries.next();
      if (!entry) throw damaged(`${expected.name} is missing`);
      if (entry.header.name !== expected.name || entry.header.size !== expected.size || !isPlain(entry)) {
        throw damaged(`in place of ${expected.name} there is something else`);
      }
      const hash = createHash('sha256');
      let size = 0;
      await reader.onEntry(
        expected.name,
        watched(entry, (chunk) => {
          size += chunk.length;
          hash.update(chunk);
        }),
      );
      if (size !== expected.size || hash.digest('hex') !== expected.sha256) {
        throw damaged(`${expected.name} is not what it was`);
      }
    }
    if (await entries.next()) throw damaged('there is more in it than it lists');
    return manifest;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    entries.close();
  }
}

/** Reads only the beginning of an archive: its manifest and, where it has some, its sealed secrets. */
export async function readHead(file: string): Promise<{ manifest: Manifest; secrets: string | undefined }> {
  const entries = openArchive(file);
  try {
    const { manifest } = await readManifest(entries);
    const [first] = manifest.entries;
    if (manifest.secrets === 'none' || !first) return { manifest, secrets: undefined };
    const entry = await entries.next();
    if (entry?.header.name !== first.name || entry.header.size !== first.size || !isPlain(entry)) {
      throw damaged(`in place of ${first.name} there is something else`);
    }
    return { manifest, secrets: (await wholeOf(entry, maxManifest)).toString('utf8') };
  } catch (error) {
    throw asRefusal(error);
  } finally {
    entries.close();
  }
}

interface Entries {
  next(): Promise<ParsedTarEntry | undefined>;
  /** How many more bytes may come out of the archive. */
  limit(bytes: number): void;
  close(): void;
}

function openArchive(file: string): Entries {
  let left = maxManifest + 2 * entryOverhead;
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const unzipped = createGunzip();
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      // A small file can unpack to any size.
      if (left < 0) done(damaged('it unpacks to more than it announces'));
      else done(null, chunk);
    },
  });
  source.on('error', (error) => unzipped.destroy(error));
  unzipped.on('error', (error) => bounded.destroy(error));
  source.pipe(unzipped).pipe(bounded);
  const decoder = createTarDecoder({ strict: true });
  const stream = (Readable.toWeb(bounded) as unknown as ReadableStream<Uint8Array>).pipeThrough(
    // The two descriptions of the same pair differ in how they name their buffers.
    decoder as unknown as ReadableWritablePair<ParsedTarEntry, Uint8Array>,
  );
  const reading = stream.getReader();
  return {
    next: async () => (await reading.read()).value,
    limit(bytes) {
      left = bytes;
    },
    close() {
      source.destroy();
      unzipped.destroy();
      bounded.destroy();
      void reading.cancel().catch(() => {
        // It may have failed already, and its reader was notified.
      });
    },
  };
}

async function readManifest(entries: Entries): Promise<{ manifest: Manifest; limit: Entries['limit'] }> {
  let text: string;
  try {
    const first = await entries.next();
    if (!first || first.header.name !== manifestName || !isPlain(first)) throw notABackup();
    const content = await wholeOf(first, maxManifest);
    // Some kilobytes unpack to a hundred million brackets, which would take minutes and gigabytes to parse.
    const isOdd = shapeCheck({
      depth: 8,
      values: 1_000 + content.length / bytesPerValue,
      keys: Number.POSITIVE_INFINITY,
    });
    if (isOdd(content) !== undefined) throw notABackup();
    text = content.toString('utf8');
  } catch (error) {
    // What cannot be read up to its manifest may be anything.
    throw isOfThisMachine(error) ? error : notABackup();
  }
  return { manifest: parseManifest(text), limit: entries.limit };
}

function isPlain({ header }: ParsedTarEntry): boolean {
  return header.type === undefined || header.type === 'file';
}

async function* watched(entry: ParsedTarEntry, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const part of entry.body as unknown as AsyncIterable<Uint8Array>) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    look(chunk);
    yield chunk;
  }
}

async function wholeOf(entry: ParsedTarEntry, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of watched(entry, () => {})) {
    size += part.length;
    if (size > most) throw notABackup();
    // The decoder may use its buffer again.
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/** The errors of gzip and tar for invalid or truncated files. */
function asRefusal(error: unknown): unknown {
  if (error instanceof BackupRefused) return error;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
    return new BackupRefused('disk_full', 'The disk is full. Free some space and try again.');
  }
  return isOfThisMachine(error) ? error : damaged('it cannot be read to its end');
}

/** Whether an error is about the system's own files, and not the archive's fault. */
function isOfThisMachine(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /^E[A-Z]/.test(code) && !code.startsWith('ERR_');
}
