import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { projectRoot } from './processes.ts';

const sign = join(projectRoot, 'renderer', 'public', 'icon.svg');

/** What macOS draws in the colour of its menu bar: the sign without its ground, in black. */
const bare = (svg: string) => svg.replace(/<rect[^>]*\/>/, '').replaceAll('#fff', '#000');

/** The sizes that icon themes of Linux look for; a package with one large icon shows none in the menus. */
const themeSizes = [16, 32, 48, 64, 128, 256, 512];

/**
 * Draws the app's pictures from the product's sign: the tray's, at both densities and as Windows wants it, and the
 * large one that packages make their icons of, with smaller ones for Linux.
 */
export async function drawPictures(folder: string): Promise<void> {
  mkdirSync(join(folder, 'icons'), { recursive: true });
  const svg = readFileSync(sign, 'utf8');
  const draw = (text: string, size: number, name: string) =>
    // Drawn at its final size from the start, not scaled down from 32 units.
    sharp(Buffer.from(text), { density: (72 * size) / 32 })
      .resize(size, size)
      .png()
      .toFile(join(folder, name));
  await Promise.all([
    draw(svg, 22, 'tray.png'),
    draw(svg, 44, 'tray@2x.png'),
    draw(bare(svg), 16, 'trayTemplate.png'),
    draw(bare(svg), 32, 'trayTemplate@2x.png'),
    draw(svg, 1024, 'icon.png'),
    ...themeSizes.map((size) => draw(svg, size, join('icons', `${size}x${size}.png`))),
    drawIcon(svg, join(folder, 'tray.ico')),
  ]);
}

/** The sizes in which Windows shows an icon in its bars, from 100 to 250 per cent, and in a title bar. */
const iconSizes = [16, 20, 24, 32, 40, 48, 64];

/** An ICO file of PNG pictures, one for each size: Windows takes the one that fits instead of scaling another. */
async function drawIcon(svg: string, path: string): Promise<void> {
  const pictures = await Promise.all(
    iconSizes.map((size) =>
      sharp(Buffer.from(svg), { density: (72 * size) / 32 })
        .resize(size, size)
        .png()
        .toBuffer(),
    ),
  );
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index;
    const size = iconSizes[index] ?? 0;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  }
  writeFileSync(path, Buffer.concat([head, ...pictures]));
}
