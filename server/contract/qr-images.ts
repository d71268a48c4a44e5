// Without zod, because the thread that draws codes loads it.

export const correctionLevels = ['L', 'M', 'Q', 'H'] as const;
export type CorrectionLevel = (typeof correctionLevels)[number];

/** Size limits of rendered images: width in pixels, or in millimeters for print at 300 dpi. */
export const imageBounds = { smallestPixels: 64, largestPixels: 4096, largestMillimetres: 300 };
