import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lettering, missingLetters, visualOrder } from '../../../server/content/qr/drawing/caption.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { qrScanners } from '../../support/qr-scanners.ts';

const codes = (text: string) =>
  [...text].map((letter) => (letter.codePointAt(0) as number).toString(16)).join(' ');

describe('a caption is drawn from left to right', () => {
  test.each([
    ['Latin as it is written', 'Scan me!', '53 63 61 6e 20 6d 65 21'],
    ['Hebrew from its end', 'סרוק', '5e7 5d5 5e8 5e1'],
    ['numbers in Hebrew as they are', 'ב 25', '32 35 20 5d1'],
    ['brackets in Hebrew the other way round', '(ב)', '28 5d1 29'],
    // The shapes that a browser draws with the same font.
    ['Arabic in joined shapes', 'امسحني', 'fef2 fee8 fea4 feb4 fee3 fe8d'],
    ['lam and alef as one', 'لا بلا', 'fefc fe91 20 fefb'],
    ['letters after one that joins nothing apart', 'دار', 'fead fe8d fea9'],
    ['Persian letters', 'گپ', 'fb57 fb94'],
    ['Urdu letters', 'ٹھیک', 'fb8f fbff fbad fb68'],
    ['a hamza apart', 'ماء', 'fe80 fe8e fee3'],
    ['a lengthened stroke', 'بـت', 'fe96 640 fe91'],
    ['letters apart where a non-joiner stands', 'می\u200cخ', 'fea5 200c fbfd fee3'],
    ['a Latin word among Arabic ones', 'من Menu', '4d 65 6e 75 20 fee6 fee3'],
  ])('%s', (_, text, expected) => {
    expect(codes(visualOrder(text))).toBe(expected);
  });

  test('joiners and direction marks take no space', async () => {
    const plain = await lettering('می');
    expect((await lettering('\u200fمی\u200c\u202c')).width).toBeCloseTo(plain.width, 6);
    expect(plain.path.length).toBeGreaterThan(10);
  });
});

describe('characters that cannot be drawn', () => {
  test.each([
    ['Scan me – Меню, Größe, Ελλάδα, Tiếng Việt', []],
    ['קוד خصم تخفیف ہے 25% ١٢٣ ۴۵', []],
    ['扫描我', ['扫', '描', '我']],
    ['スキャン', ['ス', 'キ', 'ャ', 'ン']],
    ['스캔', ['스', '캔']],
    ['สแกน', ['ส', 'แ', 'ก', 'น']],
    ['Menu 🍕', ['🍕']],
    // Their places are a matter of more than outlines.
    ['شكرًا', ['\u064b']],
    ['שָׁלוֹם', ['\u05b8', '\u05c1', '\u05b9']],
    // Letters of other languages in the same script, whose joined shapes are not known.
    ['ڭڙ', ['ڙ']],
  ])('of %j are %j', async (text, missing) => {
    expect((await missingLetters(text)).sort()).toEqual([...missing].sort());
  });
});

describe('a code with a caption', () => {
  let server: TestApp;
  const scanners = qrScanners();
  beforeAll(async () => {
    server = await startApp();
  });
  beforeEach(() => server.clock.advance(60_000));
  afterAll(async () => {
    await server.close();
    await scanners.close();
  });
  const add = (caption: string, frame: string) =>
    server.request('POST', '/api/qr/add', {
      body: { type: 'link', data: 'https://example.com/menu', frame, caption },
    });

  test.each(['امسحني', 'סרוק אותי', 'قائمة (Menu) 2027'])('%s is accepted, and scans', async (caption) => {
    for (const frame of ['bottom', 'top', 'bubble']) {
      const made = await add(caption, frame);
      expect(made.body).toMatchObject({ error: 0 });
      const { data } = (await server.request('GET', `/api/qr/${made.body.id}`)).body;
      expect(data.caption).toBe(caption);
      const svg = await fetch(`${data.link}.svg?size=600`).then((reply) => reply.text());
      const modules = Number(/viewBox="0 0 ([\d.]+) /.exec(svg)?.[1]);
      expect(await scanners.read(Buffer.from(svg), modules)).toEqual({
        zxing: data.encoded,
        jsqr: data.encoded,
      });
      // Letters are outlines: nobody needs a font.
      expect(svg).not.toContain('<text');
    }
  });

  test.each(['扫描我', 'شكرًا'])('%s is refused with the unsupported characters', async (caption) => {
    const reply = await add(caption, 'bottom');
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, 'caption_letters', 'caption']);
    expect(reply.body.message).toMatch(/letters that cannot be drawn: .*Hebrew and Arabic ones can/);
  });
});
