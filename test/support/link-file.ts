import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A real export of 1,258 links, beside the project on the machines of those who build it. */
const real = join(import.meta.dirname, '../../../shared/data/self-hosted-software.shlink.csv');

/** What both files have in common. */
export const linkFile = { rows: 1258 } as const;

/** The path of a file of links in Shlink's export format: the real one, or one of the same shape. Says which. */
export function provideLinkFile(): string {
  const path = existsSync(real) ? real : writeLinkFile();
  process.stdout.write(
    `links: importing ${path === real ? 'the real export' : 'a generated file'} (${basename(path)})\n`,
  );
  return path;
}

function writeLinkFile(): string {
  const lines = Array.from({ length: linkFile.rows }, (_, index) => {
    const title = index % 9 === 0 ? `"Project ${index}, the ""good"" one"` : `Project ${index}`;
    return `https://project-${index}.example/${index % 5 === 0 ? 'a/longer/path?x=1' : ''},topic-${index % 84},,project-${index},${title}`;
  });
  const path = join(mkdtempSync(join(tmpdir(), 'waypost-links-')), 'generated.shlink.csv');
  writeFileSync(path, `Long URL,Tags,Domain,Short code,Title\n${lines.join('\n')}\n`);
  return path;
}
