import { bytesOf } from './base64.ts';

/** Modules of white around the code; the standard (ISO/IEC 18004, 9.1) asks for 4, and scanners need them. */
const quietZone = 4;

/** Pixels of a downloaded PNG: sharp on a poster, small in a mail. */
const pictureSize = 1024;

// Black on white in both themes: many scanners refuse an inverted code.
const colors = { dark: '#000000ff', light: '#ffffffff' };

/** The code of `text` as an SVG document. Drawn in the page; nothing is sent anywhere. */
export async function qrSvg(text: string): Promise<string> {
  const qrcode = await import('qrcode');
  return qrcode.toString(text, { type: 'svg', margin: quietZone, errorCorrectionLevel: 'M', color: colors });
}

/** The code of `text` as a PNG, 1024 pixels wide. */
export async function qrPng(text: string): Promise<Blob> {
  const qrcode = await import('qrcode');
  const address = await qrcode.toDataURL(text, {
    margin: quietZone,
    errorCorrectionLevel: 'M',
    width: pictureSize,
    color: colors,
  });
  return new Blob([bytesOf(address.slice(address.indexOf(',') + 1))], { type: 'image/png' });
}

/** An SVG document as an address for an <img>. */
export function svgAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
