import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { projectRoot } from './processes.ts';

const sign = join(projectRoot, 'renderer', 'public', 'icon.svg');

/** What macOS draws in the colour of its menu bar: the sign without its ground, in black. */
const bare = (svg: string) => svg.replace(/<rect[^>]*\/>/, '').replaceAll('#fff', '#000');

/** The sizes that icon themes of Linux look for; a package with one large icon shows none in the menus. */
const themeSizes = [16, 32, 48, 64, 128, 256, 512];

/**
 * Draws the app's pictures from the product's sign: the tray's, at both densities, and the large one that packages make
 * their icons of, with smaller ones for Linux.
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
  ]);
}
