import { imageBounds } from '../../contract/qr-images.ts';
import { concurrencyLimit } from '../../platform/concurrency/concurrency-limit.ts';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { flattened, pixelsOf, pngSize, rasterized } from '../../platform/images/images.ts';
import { type Design, type DesignParts, designWith } from './drawing/design.ts';
import { pdfOf } from './drawing/pdf.ts';
import type { Scene } from './drawing/scene.ts';
import { type Extent, svgOf } from './drawing/svg.ts';
import type { PainterQuestion, PaintRequest, Sketch } from './painter.ts';
import { type Print, printOf, styleWarnings } from './readability.ts';

const dotsPerInch = 300;
const millimetresPerInch = 25.4;
/** Pixels of a module below which no scanner would read a PNG. */
const leastPerModule = 3;

const limit = concurrencyLimit(1);

async function paint({ parts, format, extent }: PaintRequest): Promise<Uint8Array> {
  const { logo } = parts;
  const { scene } = fitting(parts);
  if (format === 'pdf') return pdfOf(scene, logo && (await pixelsOf(logo)), extent);
  if (format === 'svg') return Buffer.from(svgOf(scene, logo, extent));
  const svg = svgOf(scene, logo, inPixels(extent, scene));
  const density = extent.unit === 'mm' ? dotsPerInch : 72;
  return format === 'jpg' ? flattened(svg, density) : rasterized(svg, density);
}

/** The pixels of a PNG or JPEG: enough for a scanner to tell modules apart, and no more than memory has room for. */
function inPixels({ width, unit }: Extent, scene: Scene): Extent {
  const asked = unit === 'mm' ? (width / millimetresPerInch) * dotsPerInch : width;
  const most = imageBounds.largestPixels * Math.min(1, scene.width / scene.height);
  const least = scene.width * leastPerModule;
  return { width: Math.round(Math.min(most, Math.max(least, asked))), unit: 'px' };
}

async function sketch(parts: DesignParts): Promise<Sketch | undefined> {
  const { style, logo } = parts;
  const design = designWith(parts);
  if (!design) return undefined;
  const { symbol } = design;
  return {
    level: symbol.level,
    size: symbol.size,
    print: await printOf(design, logo, false),
    warnings: styleWarnings(style, symbol, logo && pngSize(logo)),
  };
}

async function closerPrint(parts: DesignParts): Promise<Print> {
  return printOf(fitting(parts), parts.logo, true);
}

function fitting(parts: DesignParts): Design {
  const design = designWith(parts);
  if (!design) throw new Error('the text was looked at and is too long after all');
  return design;
}

answerQuestions((question: PainterQuestion) =>
  limit(async () => {
    // A message brings plain bytes where a Buffer was sent.
    const logo = question.parts.logo && Buffer.from(question.parts.logo);
    const parts = { ...question.parts, logo };
    switch (question.kind) {
      case 'sketch':
        return sketch(parts);
      case 'closer':
        return closerPrint(parts);
      case 'paint':
        return paint({ ...question, parts });
    }
  }),
);
