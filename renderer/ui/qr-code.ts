import { bytesOf } from './base64.ts';

/** Quiet zone in modules; ISO/IEC 18004, 9.1 requires 4, and scanners need them. */
const quietZone = 4;

/** Size of a downloaded PNG in pixels: sharp in print, small in an email. */
const pictureSize = 1024;

// Black on white in both themes: many scanners reject inverted codes.
const colors = { dark: '#000000ff', light: '#ffffffff' };

/** The QR code of `text` as an SVG document. Generated locally; nothing is sent to a server. */
export async function qrSvg(text: string): Promise<string> {
  const qrcode = await import('qrcode');
  return qrcode.toString(text, { type: 'svg', margin: quietZone, errorCorrectionLevel: 'M', color: colors });
}

/** The QR code of `text` as a PNG, 1024 pixels wide. */
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

/** An SVG document as a `data:` URL for an <img>. */
export function svgAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
