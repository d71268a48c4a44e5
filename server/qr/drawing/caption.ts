import opentype, { type Font, type PathCommand } from 'opentype.js';
import type { Command, Path } from './scene.ts';

/** A line of text as outlines, its baseline at 0 and its left end at 0; the unit is the size of the font. */
export interface Lettering {
  path: Path;
  width: number;
}

/** Height of capital letters in units of the font's size (Inter). */
export const capitalHeight = 0.727;

// In the bundle, so that captions look the same on every machine, those without any font among them.
const files = import.meta.glob<string>(
  '../../../node_modules/@fontsource/inter/files/inter-{latin,latin-ext,vietnamese,greek,greek-ext,cyrillic,cyrillic-ext}-600-normal.woff',
  { query: '?inline', import: 'default' },
);
let fonts: Promise<Font[]> | undefined;

/** Characters of a text that no font here has; captions with them cannot be drawn. */
export async function missingLetters(text: string): Promise<string[]> {
  const known = await loaded();
  return [...new Set(text)].filter((letter) => letter.trim() !== '' && !fontOf(known, letter));
}

/** Draws a line of text. Letters that no font has are left out: see `missingLetters`. */
export async function lettering(text: string): Promise<Lettering> {
  const known = await loaded();
  const path: Command[] = [];
  let at = 0;
  let before: { font: Font; letter: string } | undefined;
  for (const letter of text.normalize('NFC')) {
    const font = fontOf(known, letter);
    if (!font) continue;
    const glyph = font.charToGlyph(letter);
    if (before?.font === font) {
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
  fonts ??= Promise.all(
    // The plain Latin one first: most captions need no other.
    Object.entries(files)
      .sort(([first], [second]) => first.length - second.length)
      .map(async ([, load]) => {
        const address = await load();
        const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
        return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      }),
  );
  return fonts;
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
