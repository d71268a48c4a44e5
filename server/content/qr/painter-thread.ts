import { imageBounds } from '../../contract/qr.ts';
import { turns } from '../../platform/concurrency/concurrency-limit.ts';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { pixelsOf, rasterized } from '../../platform/images/images.ts';
import { designWith } from './drawing/design.ts';
import { pdfOf } from './drawing/pdf.ts';
import type { Scene } from './drawing/scene.ts';
import { type Extent, svgOf } from './drawing/svg.ts';
import type { PaintRequest } from './painter.ts';

const dotsPerInch = 300;
const millimetresPerInch = 25.4;
/** Pixels of a module below which no scanner would read a PNG. */
const leastPerModule = 3;

const inTurn = turns(1);

async function paint({ parts, format, extent }: PaintRequest): Promise<Uint8Array> {
  // A message brings plain bytes where a Buffer was sent.
  const logo = parts.logo && Buffer.from(parts.logo);
  const { scene } = designWith({ ...parts, logo });
  if (format === 'pdf') return pdfOf(scene, logo && (await pixelsOf(logo)), extent);
  if (format === 'svg') return Buffer.from(svgOf(scene, logo, extent));
  const svg = svgOf(scene, logo, inPixels(extent, scene));
  return rasterized(svg, extent.unit === 'mm' ? dotsPerInch : 72);
}

/** The pixels of a PNG: enough for a scanner to tell modules apart, and no more than memory has room for. */
function inPixels({ width, unit }: Extent, scene: Scene): Extent {
  const asked = unit === 'mm' ? (width / millimetresPerInch) * dotsPerInch : width;
  const most = imageBounds.largestPixels * Math.min(1, scene.width / scene.height);
  const least = scene.width * leastPerModule;
  return { width: Math.round(Math.min(most, Math.max(least, asked))), unit: 'px' };
}

answerQuestions((request: PaintRequest) => inTurn(() => paint(request)));
