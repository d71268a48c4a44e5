import { composed } from '../../contract/composed.ts';
import { rejected } from '../../platform/errors.ts';

const longestName = 255;

/** Names that Windows keeps for devices, whatever their extension. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** Bidirectional control characters: `gpj.exe` can be made to look like `exe.jpg` with them. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The download name, derived from the uploaded one: the last part of a path, in NFC, without characters that some
 * system does not allow. The content is stored under a name of our own; this one is never used as a path (T-16).
 * Throws 400 `invalid_filename`.
 */
export function readFilename(text: string): string {
  const whole = composed(text);
  if (/\p{Cc}/u.test(whole) || !whole.isWellFormed()) {
    throw invalidFilename('Remove the control characters from the file name.');
  }
  if (Buffer.byteLength(whole) > longestName) {
    throw invalidFilename(`Use a file name of at most ${longestName} bytes.`);
  }
  const last = whole.replace(directionMarks, '').split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(/[<>:"|?*]/g, '_')
    .replace(/[. ]+$/, '')
    .trim();
  if (name === '') throw invalidFilename('Add the file name with its extension to the URL.');
  return devices.test(name) ? `_${name}` : name;
}

/** The value of Content-Disposition for a download (RFC 6266): a plain name for old clients and the real one. */
export function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Types that no browser runs anything of, so that naming them helps and cannot hurt; by extension. */
const harmlessTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  zip: 'application/zip',
};

/** The Content-Type of a download (T-17): that of a short list, for everything else bytes. */
export function downloadType(filename: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(harmlessTypes, extension)
    ? (harmlessTypes[extension] ?? '')
    : 'application/octet-stream';
}

function invalidFilename(message: string) {
  return rejected('invalid_filename', 'filename', message);
}
