import type { QrStyle } from '../contract/qr.ts';
import type { FieldProblem } from '../errors.ts';
import { checkPrint, dimmedCheckPrint } from '../images/images.ts';
import { contrast, luminance } from './colors.ts';
import type { Decoder } from './decoder.ts';
import type { Design } from './design.ts';
import { svgOf } from './drawing/svg.ts';
import { coveredShare, type LogoShape } from './drawing/symbol.ts';
import type { QrSymbol } from './symbol.ts';

/** Scanners tell dark from light by a threshold between them; below this contrast a photo's shades win. */
const leastContrast = 3;
/** Share of the modules that a logo may hide: at most half of what the level brings back, the rest is for dirt and glare. */
const hideable = { L: 0.025, M: 0.07, Q: 0.11, H: 0.15 };

/** How far out of focus a print must still be read, in modules. */
const outOfFocus = 0.3;

/** Why scanners would not read a style, by rules that a sentence can explain; undefined when they would. */
export function styleProblem(
  style: QrStyle,
  symbol: QrSymbol,
  logo: LogoShape | undefined,
): FieldProblem | undefined {
  const ground = style.background === 'transparent' ? '#FFFFFF' : style.background;
  for (const [field, color] of darkColors(style)) {
    if (luminance(color) > luminance(ground)) {
      return problem(
        field,
        'inverted_colors',
        'Choose a code that is darker than its background: many scanners cannot read light on dark.',
      );
    }
    if (contrast(color, ground) < leastContrast) {
      return problem(
        field,
        'low_contrast',
        `The contrast of ${color} with the background ${ground} is too low for scanners. Choose a darker colour or a lighter background.`,
      );
    }
  }
  if (logo && coveredShare(symbol, style.logosize, logo) > hideable[symbol.level]) {
    return symbol.level === 'H'
      ? problem('logosize', 'logo_too_large', 'The logo hides too much of the code. Make it smaller.')
      : problem(
          'correction',
          'logo_too_large',
          `The logo hides more than error correction ${symbol.level} brings back. Choose automatic or H, or a smaller logo.`,
        );
  }
  return undefined;
}

/**
 * Draws a code as a camera would see it, sharp and then out of focus, and reads it again; a problem when it does not
 * read as it should. Like a camera that comes closer, each is tried small first and then larger.
 */
export async function scanProblem(
  { symbol, scene, text }: Design,
  logo: Buffer | undefined,
  decoder: Pick<Decoder, 'decode'>,
): Promise<FieldProblem | undefined> {
  const isLarge = symbol.size > 100;
  const scales = isLarge ? [4, 6] : [4, 8];

  async function reads(print: (svg: string, pixels: number) => Promise<Buffer>): Promise<boolean> {
    for (const pixels of scales) {
      const svg = svgOf(scene, logo, { width: Math.ceil(scene.width * pixels), unit: 'px' });
      if ((await decoder.decode(await print(svg, pixels))) === text) return true;
    }
    return false;
  }

  if (
    (await reads(checkPrint)) &&
    (await reads((svg, pixels) => dimmedCheckPrint(svg, pixels * outOfFocus)))
  ) {
    return undefined;
  }
  return isLarge
    ? problem('data', 'content_too_long', 'This is too much for a code that scanners can read. Shorten it.')
    : problem(
        'modules',
        'unreadable_style',
        'A scanner does not read this combination. Try other shapes, more contrast or a smaller logo.',
      );
}

/** Every colour that modules are drawn in, with the field that it comes from. */
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
