import { contrastOf, luminance } from '../../contract/contrast.ts';
import type { QrStyle } from '../../contract/qr.ts';
import type { FieldProblem } from '../../platform/errors.ts';
import { checkPrint, dimmedCheckPrint } from '../../platform/images/images.ts';
import type { Decoder } from './decoder.ts';
import type { Design } from './drawing/design.ts';
import { svgOf } from './drawing/svg.ts';
import { coveredShare, type LogoShape } from './drawing/symbol.ts';
import type { QrSymbol } from './symbol.ts';

/** Scanners tell dark from light by a threshold between them; below this contrast a photo's shades win. */
const leastContrast = 3;
/**
 * Share of the modules that a logo may hide: at most half of what the level can recover; the rest is for dirt and
 * glare.
 */
const hideable = { L: 0.025, M: 0.07, Q: 0.11, H: 0.15 };

/** How far out of focus a print must still be read, in modules. */
const outOfFocus = 0.3;

/** What makes a style hard to read for some scanners, by rules that a sentence can explain. */
export function styleWarnings(style: QrStyle, symbol: QrSymbol, logo: LogoShape | undefined): FieldProblem[] {
  const warnings = colorWarnings(style);
  if (logo && coveredShare(symbol, style.logosize, logo) > hideable[symbol.level]) {
    warnings.push(
      symbol.level === 'H'
        ? problem('logosize', 'logo_too_large', 'The logo hides much of the code. Make it smaller.')
        : problem(
            'correction',
            'logo_too_large',
            `The logo covers more than error correction ${symbol.level} can recover. Choose automatic or H, or a smaller logo.`,
          ),
    );
  }
  if (isDense(symbol.size)) {
    const size = `${symbol.size} × ${symbol.size}`;
    const message = `This code has ${size} modules, which are small in print. Print it larger, or shorten the content.`;
    warnings.push(problem('data', 'small_modules', message));
  }
  return warnings;
}

/** How well a code is read: by any scanner, by some, or by none. */
export type Readability = 'well' | 'barely' | 'never';

/** A code as a camera would see it, as PNG: sharp and out of focus. */
export interface Print {
  sharp: Uint8Array;
  dimmed: Uint8Array;
}

/** Draws a code for decoders; `closer` like a camera that has come closer. */
export async function printOf(
  { symbol, scene }: Design,
  logo: Buffer | undefined,
  closer: boolean,
): Promise<Print> {
  const pixels = !closer ? 4 : isDense(symbol.size) ? 6 : 8;
  const svg = svgOf(scene, logo, { width: Math.ceil(scene.width * pixels), unit: 'px' });
  return { sharp: await checkPrint(svg), dimmed: await dimmedCheckPrint(svg, pixels * outOfFocus) };
}

/**
 * Reads a code as a camera would see it, sharp and then out of focus: from where it is, and then closer. What no
 * scanner reads so is shown to two decoders, sharp.
 */
export async function readabilityOf(
  { print, closerPrint }: { print: Print; closerPrint: () => Promise<Print> },
  text: string,
  decoder: Pick<Decoder, 'decode' | 'canRead'>,
): Promise<Readability> {
  let closer: Promise<Print> | undefined;
  async function some(read: (print: Print) => Promise<boolean>): Promise<boolean> {
    if (await read(print)) return true;
    closer ??= closerPrint();
    return read(await closer);
  }
  const isRead = async (png: Uint8Array) => (await decoder.decode(png)) === text;

  if ((await some(({ sharp }) => isRead(sharp))) && (await some(({ dimmed }) => isRead(dimmed))))
    return 'well';
  return (await some(({ sharp }) => decoder.canRead(sharp, text))) ? 'barely' : 'never';
}

/** What to tell of a code that not every scanner reads and whose style gives no reason; `size` is in modules. */
export function unexplained(size: number): FieldProblem {
  return isDense(size)
    ? problem('data', 'content_too_long', 'This content is too long for a readable QR code. Shorten it.')
    : problem(
        'modules',
        'unreadable_style',
        'Scanners may fail to read this combination. Try other shapes, more contrast or a smaller logo.',
      );
}

/** Whether the modules are small at the sizes in which codes are printed. */
function isDense(size: number): boolean {
  return size > 100;
}

/** At most one warning: a color that is mended mends the others, or shows them. */
function colorWarnings(style: QrStyle): FieldProblem[] {
  const ground = style.background === 'transparent' ? '#FFFFFF' : style.background;
  for (const [field, color] of darkColors(style)) {
    if (contrastOf(color, ground) < leastContrast) {
      const message = `The contrast of ${color} with the background ${ground} is low for scanners. Choose a darker color or a lighter background.`;
      return [problem(field, 'low_contrast', message)];
    }
    if (luminance(color) > luminance(ground)) {
      const message =
        'The code is lighter than its background, which many scanners cannot read. Choose a darker code.';
      return [problem(field, 'inverted_colors', message)];
    }
  }
  return [];
}

/** Every color that modules are drawn in, with the field that it comes from. */
function darkColors(style: QrStyle): [field: string, color: string][] {
  const main: [string, string][] = style.gradient
    ? [
        ['gradient.from', style.gradient.from],
        ['gradient.to', style.gradient.to],
      ]
    : [['foreground', style.foreground]];
  const eyes = style.eyecolor ? [['eyecolor', style.eyecolor] as [string, string]] : [];
  const pupils = style.pupilcolor ? [['pupilcolor', style.pupilcolor] as [string, string]] : [];
  return [...main, ...eyes, ...pupils];
}

function problem(field: string, code: string, message: string): FieldProblem {
  return { field, code, message };
}
