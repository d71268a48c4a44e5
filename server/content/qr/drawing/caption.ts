import { setImmediate as nextTurn } from 'node:timers/promises';
import bidiFactory from 'bidi-js';
import opentype, { type Font, type PathCommand } from 'opentype.js';
import { joined, shapesOf } from './arabic-forms.ts';
import type { Lettering } from './lettering.ts';
import type { Command } from './scene.ts';

// In the bundle, so that captions look the same on every machine, those without any font among them.
const files = import.meta.glob<string>(
  [
    '../../../../node_modules/@fontsource/inter/files/inter-{latin,latin-ext,vietnamese,greek,greek-ext,cyrillic,cyrillic-ext}-600-normal.woff',
    '../../../../node_modules/@fontsource/noto-sans-{hebrew,arabic}/files/noto-sans-{hebrew-hebrew,arabic-arabic}-600-normal.woff',
  ],
  { query: '?inline', import: 'default' },
);
let fonts: Promise<Font[]> | undefined;
const bidi = bidiFactory();

/** Steers joining and direction and is not drawn: joiners, marks of direction. */
const invisible = /[\u200c-\u200f\u202a-\u202e\u2066-\u2069]/;
const rightToLeft = /[\p{scx=Hebrew}\p{scx=Arabic}]/u;

/**
 * Characters of a text that cannot be drawn: those that no font here has, Arabic letters whose joined shapes are not
 * known, and vowel signs, whose places are a matter of more than a font's outlines.
 */
export async function missingLetters(text: string): Promise<string[]> {
  const known = await loaded();
  const isDrawn = (letter: string) => fontOf(known, letter) !== undefined;
  return [...new Set(text.normalize('NFC'))].filter((letter) => {
    if (letter.trim() === '' || invisible.test(letter)) return false;
    if (/\p{M}/u.test(letter) && rightToLeft.test(letter)) return true;
    if (/\p{L}/u.test(letter) && /\p{Script=Arabic}/u.test(letter)) {
      return shapesOf(letter)?.every(isDrawn) !== true;
    }
    return !isDrawn(letter);
  });
}

/** A text in the order in which it is drawn, from left to right, with every Arabic letter in its shape (UAX #9). */
export function visualOrder(text: string): string {
  const logical = joined(text.normalize('NFC'));
  const levels = bidi.getEmbeddingLevels(logical, 'auto');
  const mirrored = bidi.getMirroredCharactersMap(logical, levels.levels);
  return bidi
    .getReorderedIndices(logical, levels)
    .map((index) => mirrored.get(index) ?? logical[index])
    .join('');
}

/** Draws a line of text. Letters that no font has are left out: see `missingLetters`. */
export async function lettering(text: string): Promise<Lettering> {
  const known = await loaded();
  const path: Command[] = [];
  let at = 0;
  let before: { font: Font; letter: string } | undefined;
  for (const letter of visualOrder(text)) {
    const font = invisible.test(letter) ? undefined : fontOf(known, letter);
    if (!font) continue;
    const glyph = font.charToGlyph(letter);
    if (before?.font === font && !rightToLeft.test(letter)) {
      at += font.getKerningValue(font.charToGlyph(before.letter), glyph) / font.unitsPerEm;
    }
    path.push(...glyph.getPath(at, 0, 1).commands.flatMap(commandsOf()));
    at += (glyph.advanceWidth ?? 0) / font.unitsPerEm;
    before = { font, letter };
  }
  return { path, width: at };
}

function fontOf(known: readonly Font[], letter: string): Font | undefined {
  return known.find((font) => font.charToGlyphIndex(letter) > 0);
}

function loaded(): Promise<Font[]> {
  fonts ??= readFonts();
  return fonts;
}

/** One font a turn of the event loop: all of them take 40 ms, which no redirect may wait for. */
async function readFonts(): Promise<Font[]> {
  const found: Font[] = [];
  // The plain Latin one first: most captions need no other.
  const inOrder = Object.entries(files).sort(([first], [second]) => first.length - second.length);
  for (const [, load] of inOrder) {
    const address = await load();
    await nextTurn();
    const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
    found.push(opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
  }
  return found;
}

/** Turns a font's commands into ours; TrueType has curves with one handle, which have two here. */
function commandsOf() {
  let x = 0;
  let y = 0;
  return (command: PathCommand): Command[] => {
    if (command.type === 'Z') return [['Z']];
    const start = { x, y };
    x = command.x;
    y = command.y;
    if (command.type === 'M' || command.type === 'L') return [[command.type, x, y]];
    if (command.type === 'C') return [['C', command.x1, command.y1, command.x2, command.y2, x, y]];
    const third = (end: number, handle: number) => end + (2 / 3) * (handle - end);
    return [
      [
        'C',
        third(start.x, command.x1),
        third(start.y, command.y1),
        third(x, command.x1),
        third(y, command.y1),
        x,
        y,
      ],
    ];
  };
}
