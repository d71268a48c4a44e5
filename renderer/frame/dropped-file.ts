import { pastedAddress } from '../ui/addresses.ts';

/** The page that a dropped file belongs to. */
export type DropPlace = 'import' | 'backups' | 'files';

/** What the instance takes and the person may do there. */
export interface DropRights {
  readonly links: boolean;
  readonly import: boolean;
  readonly files: boolean;
  readonly backups: boolean;
}

/** `waypost-2026-11-21T02-10-00-123Z-manual.tar.gz`, with what a browser appends to a second download. */
const backupName = /^waypost-\d{4}-\d\d-\d\dT[\d-]+Z-[a-z-]+( ?\(\d+\))?\.tar\.gz$/i;

/**
 * Where files that are dropped outside of a page of their own go; undefined when the instance has no use for them. A
 * table of links is imported and a backup brought back; whatever else is given out under a short link. A backup is
 * never given out: it holds everything.
 */
export function placeOf(files: readonly Pick<File, 'name'>[], may: DropRights): DropPlace | undefined {
  const [first, ...others] = files;
  if (!first) return undefined;
  if (files.some(({ name }) => backupName.test(name))) {
    return may.backups && others.length === 0 ? 'backups' : undefined;
  }
  if (may.import && others.length === 0 && /\.(csv|tsv)$/i.test(first.name)) return 'import';
  return may.files ? 'files' : undefined;
}

/**
 * A table for the import of several addresses, one a line, that were pasted; undefined where not even half of the lines
 * are addresses. The import says of each other line what is wrong with it.
 */
export function tableOfAddresses(text: string): File | undefined {
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  const addresses = lines.filter((line) => /^https?:/i.test(line) && pastedAddress(line) !== undefined);
  if (addresses.length < 2 || addresses.length * 2 < lines.length) return undefined;
  const cells = lines.map((line) => `"${line.replaceAll('"', '""')}"`);
  return new File([['Long URL', ...cells].join('\n')], 'pasted-links.csv', { type: 'text/csv' });
}

/** More is no shortcut to an address. Bytes. */
const largestShortcut = 16 * 1024;

/**
 * The one address that a small file consists of: a bookmark that was dragged out of a browser (`.url`, `.webloc`), or a
 * text with nothing else in it. Undefined for every other file.
 */
export async function addressInFile(file: File): Promise<string | undefined> {
  if (file.size > largestShortcut || !/\.(url|webloc|txt)$/i.test(file.name)) return undefined;
  const text = await file.text();
  const written = /\.url$/i.test(file.name)
    ? /^URL=(.+)$/im.exec(text)?.[1]
    : /\.webloc$/i.test(file.name)
      ? /<string>([^<]+)<\/string>/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      : text;
  const address = written && pastedAddress(written);
  // A word with a dot in a note is no address to be sure of.
  return address && /^\s*https?:/i.test(written) ? address : undefined;
}
