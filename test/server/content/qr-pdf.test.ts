import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { frameShapes, moduleShapes } from '../../../server/contract/qr.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { provideProgram } from '../../support/provision.ts';
import { qrScanners } from '../../support/qr-scanners.ts';
import { some } from '../../support/trials.ts';

// Says loudly why where it cannot be had; the tests below are then counted as skipped.
const pdftoppm = await provideProgram('pdftoppm', 'poppler-utils');
const dotsPerInch = 300;

/** The PDF of a code as another program draws it: poppler, which shares nothing with ours, and two decoders read it. */
describe.skipIf(pdftoppm === undefined)('a PDF of a code, drawn by poppler', () => {
  let server: TestApp;
  let logo = '';
  let made = 0;
  const scanners = qrScanners();
  beforeAll(async () => {
    server = await startApp();
    // Round, so that its corners have to let through what is under them.
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="100" r="98" fill="#e11d48"/></svg>';
    const png = await sharp(Buffer.from(drawing)).png().toBuffer();
    logo = `data:image/png;base64,${png.toString('base64')}`;
  });
  beforeEach(() => server.clock.advance(60_000));
  afterAll(async () => {
    await server.close();
    await scanners.close();
  });

  /** One page, without a complaint of the renderer about the file. */
  function drawn(pdf: Buffer): Buffer {
    const args = ['-png', '-r', String(dotsPerInch), '-'];
    const { status, stdout, stderr } = spawnSync(pdftoppm as string, args, {
      input: pdf,
      maxBuffer: 50_000_000,
    });
    expect([status, stderr.toString()]).toEqual([0, '']);
    return stdout;
  }

  async function fetched(address: string): Promise<Buffer> {
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  async function make(fields: Record<string, unknown>): Promise<{ link: string; encoded: string }> {
    made += 1;
    const body = { type: 'link', data: 'https://example.com/menu', custom: `menu${made}`, ...fields };
    const reply = await server.request('POST', '/api/qr/add', { body });
    expect(reply.body).toMatchObject({ error: 0 });
    return (await server.request('GET', `/api/qr/${reply.body.id}`)).body.data;
  }

  /** Reads the page, and holds it against the SVG: the greatest difference of a spot in a channel, 0 to 255. */
  async function look(fields: Record<string, unknown>) {
    const { link, encoded } = await make(fields);
    const svg = await fetched(`${link}.svg?size=50mm`);
    const page = drawn(await fetched(`${link}.pdf?size=50mm`));
    const { width = 0, height = 0 } = await sharp(page).metadata();
    // Out of focus, because no two programs smooth an edge alike; without the page's last dots, of which it fills a
    // part.
    const blurred = async (picture: Buffer) => {
      const drawing = sharp(picture, { density: dotsPerInch }).flatten({ background: '#ffffff' });
      const same = await drawing.resize({ width, height, fit: 'fill' }).png().toBuffer();
      const inner = { left: 2, top: 2, width: width - 4, height: height - 4 };
      return sharp(await sharp(same).extract(inner).png().toBuffer())
        .blur(width / 60)
        .removeAlpha()
        .raw()
        .toBuffer();
    };
    const [ours, theirs] = await Promise.all([blurred(svg), blurred(page)]);
    let difference = 0;
    for (const [index, value] of ours.entries()) {
      difference = Math.max(difference, Math.abs(value - (theirs[index] as number)));
    }
    const modules = Number(/viewBox="0 0 ([\d.]+) /.exec(svg.toString())?.[1]);
    return {
      width,
      encoded,
      scanned: await scanners.read(page, modules),
      difference,
    };
  }

  const gradients = {
    linear: { type: 'linear', from: '#7C3AED', to: '#BE185D', angle: 30 },
    radial: { type: 'radial', from: '#0F766E', to: '#1E3A8A' },
  };
  const looks: [name: string, fields: () => Record<string, unknown>][] = [
    ...some(moduleShapes, { from: 1, short: 2 }).map((modules): [string, () => Record<string, unknown>] => [
      `${modules} modules`,
      () => ({ modules }),
    ]),
    ...some(frameShapes, { from: 1, short: 2 }).map((frame): [string, () => Record<string, unknown>] => [
      `the frame ${frame} with a caption`,
      () => ({ frame, caption: 'Unser Menü – Меню', framecolor: '#1D4ED8' }),
    ]),
    ['a logo that is partly clear', () => ({ logo, eyes: 'circle' })],
    ['a clear ground', () => ({ background: 'transparent', modules: 'dots' })],
    ['a linear gradient', () => ({ gradient: gradients.linear, modules: 'leaf', logo })],
    [
      'a radial gradient in a frame',
      () => ({ gradient: gradients.radial, frame: 'bubble', eyecolor: '#B91C1C' }),
    ],
    ['much content', () => ({ type: 'text', data: 'x'.repeat(600) })],
  ];

  test.each(looks)('scans and looks like the SVG: %s', async (_, fields) => {
    const { width, encoded, scanned, difference } = await look(fields());
    expect(scanned).toEqual({ zxing: encoded, jsqr: encoded });
    // As wide as was asked for, and a dot for the page's last one.
    expect(Math.abs(width - (50 / 25.4) * dotsPerInch)).toBeLessThan(2);
    // A letter that is missing, or a color that is another one, is 60 and more.
    expect(difference).toBeLessThan(35);
  });
});
