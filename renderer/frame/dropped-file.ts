import { pastedAddress } from '../ui/addresses.ts';

/** The page that handles a dropped file. */
export type DropPlace = 'import' | 'backups' | 'files';

/** What the instance supports and the user may do. */
export interface DropRights {
  readonly links: boolean;
  readonly import: boolean;
  readonly files: boolean;
  readonly backups: boolean;
}

/**
 * `waypost-2026-11-21T02-10-00-123Z-manual.tar.gz`, with an optional suffix that browsers add to repeated downloads.
 */
const backupName = /^waypost-\d{4}-\d\d-\d\dT[\d-]+Z-[a-z-]+( ?\(\d+\))?\.tar\.gz$/i;

/**
 * The page for files dropped where the current page does not handle them; undefined if the instance has no use for
 * them. CSV files are imported and backups restored; anything else is shared as a file. Backups are never shared: they
 * contain all data.
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
 * A CSV file for the import, from pasted URLs, one per line; undefined if fewer than half of the lines are URLs. The
 * import reports the problem with each of the other lines.
 */
export function tableOfAddresses(text: string): File | undefined {
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  const addresses = lines.filter((line) => /^https?:\S+$/i.test(line) && pastedAddress(line) !== undefined);
  if (addresses.length < 2 || addresses.length * 2 < lines.length) return undefined;
  const cells = lines.map((line) => `"${line.replaceAll('"', '""')}"`);
  return new File([['Long URL', ...cells].join('\n')], 'pasted-links.csv', { type: 'text/csv' });
}

/** Larger files are not shortcut files. Bytes. */
const largestShortcut = 16 * 1024;

/**
 * The URL in a small file: a bookmark dragged out of a browser (`.url`, `.webloc`), or a text file with nothing else in
 * it. Undefined for other files.
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
  // Without a scheme, a word containing a dot is not certain to be a URL.
  return address && /^\s*https?:\S+\s*$/i.test(written) ? address : undefined;
}
