import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { fitImage, sniffImage, squareImage } from '../../../server/platform/images/images.ts';
import { seededIntegers } from '../../support/clock.ts';
import { times } from '../../support/trials.ts';

const refusal = expect.objectContaining({
  status: 400,
  details: expect.objectContaining({ code: 'invalid_image', field: 'avatar' }),
});

const wanted = { field: 'avatar', party: 'account 1' };

let png: Buffer;
let jpeg: Buffer;
beforeAll(async () => {
  const noise = Buffer.alloc(64 * 48 * 3);
  const random = seededIntegers();
  for (let index = 0; index < noise.length; index += 1) noise[index] = random(256);
  const raw = sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });
  png = await raw.clone().png().toBuffer();
  jpeg = await raw
    .clone()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'PLANTED SECRET' } } })
    .jpeg()
    .toBuffer();
});

/** A PNG of one color, as small as the format allows, made without holding its pixels. */
async function flatPng(width: number, height: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const chunks: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
  const line = Buffer.alloc(width * 3 + 1);
  for (let row = 0; row < height; row += 1) if (!deflate.write(line)) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.concat(chunks)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

describe('a picture', () => {
  test('becomes a square of the requested size, of its own type', async () => {
    for (const [content, type, format] of [
      [png, 'image/png', 'png'],
      [jpeg, 'image/jpeg', 'jpeg'],
    ] as const) {
      const made = await squareImage(content, 500, wanted);
      expect(made.type).toBe(type);
      expect(await sharp(made.body).metadata()).toMatchObject({ format, width: 500, height: 500 });
    }
  });

  test('fits into a box, keeps its aspect ratio and is never enlarged', async () => {
    const small = await fitImage(png, { width: 32, height: 32 }, wanted);
    expect(await sharp(small.body).metadata()).toMatchObject({ width: 32, height: 24 });
    const kept = await fitImage(png, { width: 600, height: 600 }, wanted);
    expect(await sharp(kept.body).metadata()).toMatchObject({ width: 64, height: 48 });
  });

  test('is rotated as the camera recorded and loses all metadata', async () => {
    expect(jpeg.includes('PLANTED SECRET')).toBe(true);
    const made = await fitImage(jpeg, { width: 600, height: 600 }, wanted);
    const metadata = await sharp(made.body).metadata();
    expect(metadata).toMatchObject({ width: 48, height: 64 });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.icc).toBeUndefined();
    expect(made.body.includes('PLANTED SECRET')).toBe(false);
  });

  test('is re-encoded: data appended to it is dropped', async () => {
    const payload = '<script>alert(1)</script>';
    const made = await squareImage(Buffer.concat([png, Buffer.from(payload)]), 500, wanted).catch(
      () => undefined,
    );
    expect(made?.body.includes(payload) ?? false).toBe(false);
  });

  test('is recognized by its first bytes only', () => {
    expect(sniffImage(png)).toBe('image/png');
    expect(sniffImage(jpeg)).toBe('image/jpeg');
    expect(sniffImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined();
    expect(sniffImage(Buffer.alloc(0))).toBeUndefined();
  });
});

describe('an unusable picture (T-15)', () => {
  test('is refused with one message: other formats, nothing, halves, and wrong magic', async () => {
    const gif = await sharp(png).gif().toBuffer();
    const webp = await sharp(png).webp().toBuffer();
    const tiff = await sharp(png).tiff().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const liar = Buffer.concat([png.subarray(0, 8), gif]);
    const half = png.subarray(0, png.length / 2);
    const halfJpeg = jpeg.subarray(0, jpeg.length / 2);
    for (const content of [
      gif,
      webp,
      tiff,
      svg,
      liar,
      half,
      halfJpeg,
      Buffer.alloc(0),
      Buffer.from('hello'),
    ]) {
      await expect(squareImage(content, 500, wanted)).rejects.toEqual(refusal);
    }
  });

  test('only the loaders of PNG, JPEG and our own drawings can be reached', async () => {
    const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
    for (const format of ['gif', 'webp', 'tiff'] as const) {
      const content = await plain.clone().toFormat(format).toBuffer();
      await expect(sharp(content).metadata()).rejects.toThrow();
    }
  });

  test('a bomb of 12000 x 12000 pixels in 450 KB is refused before it takes memory', async () => {
    const bomb = await flatPng(12_000, 12_000);
    expect(bomb.length).toBeLessThan(500_000);
    const before = process.memoryUsage().rss;
    const started = performance.now();
    await expect(squareImage(bomb, 500, wanted)).rejects.toEqual(refusal);
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('the limit is exactly 4096 x 4096 pixels', async () => {
    await expect(squareImage(await flatPng(4096, 4096), 500, wanted)).resolves.toBeDefined();
    await expect(squareImage(await flatPng(4096, 4097), 500, wanted)).rejects.toEqual(refusal);
  });

  test('many of one account are refused beyond its share, and another account has its turn', async () => {
    const large = await flatPng(2000, 2000);
    const done: string[] = [];
    const make = (party: string) =>
      squareImage(large, 500, { field: 'avatar', party }).then(
        () => void done.push(party),
        ({ status }) => void done.push(String(status)),
      );
    const greedy = Array.from({ length: 40 }, () => make('account 1'));
    const other = make('account 2');
    await Promise.all([...greedy, other]);
    const before = done.slice(0, done.indexOf('account 2'));
    // Those that were being made, and one more each, as two are made at a time.
    expect(before.filter((party) => party === 'account 1').length).toBeLessThanOrEqual(4);
    expect(done.filter((party) => party === 'account 1')).toHaveLength(10);
    expect(done.filter((status) => status === '503')).toHaveLength(30);
  });

  test('many at once are processed two at a time, within limited memory', async () => {
    const large = await flatPng(4000, 4000);
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    await Promise.all(Array.from({ length: 8 }, () => squareImage(large, 500, wanted)));
    clearInterval(watch);
    expect(most).toBeLessThan(150_000_000);
  });

  const rounds = times({ short: 200, long: 1000 });
  test(`${rounds.toLocaleString('en')} damaged pictures are processed or refused, and none ends the process`, async () => {
    const random = seededIntegers(7);
    const outcomes = { made: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const damaged = Buffer.from(round % 2 === 0 ? png : jpeg);
      for (let change = 0; change <= random(12); change += 1) {
        // Beyond the magic: before it everything is refused anyway.
        damaged[8 + random(damaged.length - 8)] = random(256);
      }
      const content = random(4) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged;
      try {
        const made = await squareImage(content, 50, wanted);
        expect((await sharp(made.body).metadata()).width).toBe(50);
        outcomes.made += 1;
      } catch (error) {
        expect(error).toEqual(refusal);
        outcomes.refused += 1;
      }
    }
    expect(outcomes.made + outcomes.refused).toBe(rounds);
    expect(outcomes.refused).toBeGreaterThan(rounds / 4);
  });
});
