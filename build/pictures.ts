import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { projectRoot } from './processes.ts';

const sign = join(projectRoot, 'renderer', 'public', 'icon.svg');

/** The logo without its background, in black, as a macOS template image. */
const bare = (svg: string) => svg.replace(/<rect[^>]*\/>/, '').replaceAll('#fff', '#000');

/** Sizes that Linux icon themes look for; packages with one large icon show none in menus. */
const themeSizes = [16, 32, 48, 64, 128, 256, 512];

/**
 * Renders the app's icons from the logo: the tray's, at both densities and as ICO for Windows, and the large one that
 * packages derive their icons from, with smaller ones for Linux.
 */
export async function drawPictures(folder: string): Promise<void> {
  mkdirSync(join(folder, 'icons'), { recursive: true });
  const svg = readFileSync(sign, 'utf8');
  const draw = (text: string, size: number, name: string) =>
    // Render at the final size instead of scaling the 32-pixel bitmap.
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

/** Windows icon sizes for the taskbar at 100 to 250 percent, and for title bars. Pixels. */
const iconSizes = [16, 20, 24, 32, 40, 48, 64];

/** Writes an ICO file with a PNG per size, so that Windows does not have to scale. */
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
