import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Images and fonts are already compressed. */
const compressible = new Set(['.html', '.js', '.css', '.json', '.svg']);

/**
 * Precompresses each page and script in a folder with Brotli (`.br`) and gzip (`.gz`). Maximum compression takes
 * seconds, too long to do per request. Returns the number of files compressed.
 */
export async function writeCompressedPages(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const text = await readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
    }),
  );
  return files.length;
}
