import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { draws, zipf } from '../../server/operations/seed/random.ts';
import { seed } from '../../server/operations/seed/seed.ts';
import { connect } from '../../server/platform/database/connect.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';

const requestCount = 40_000;

/** Paths of links, and the file that contains them, one per line. */
export interface Paths {
  file: string;
  list: string[];
}

/** Creates an instance with an account in an empty folder, adds links to its database, and returns their paths. */
export async function folderWithLinks(folder: string, links: number): Promise<Paths> {
  const first = await spawnServer(folder);
  await setUpAccount(first);
  await first.stop();
  return addPaths(join(folder, 'waypost.sqlite'), links);
}

/** Adds links with the server's own code; some are followed far more often than most, as in real life. */
export function addPaths(file: string, links: number): Paths {
  const aliases = addLinks(file, links);
  const position = zipf(aliases.length, draws(3));
  const list = Array.from(
    { length: requestCount },
    () => `/${encodeURIComponent(aliases[position()] ?? '')}`,
  );
  const paths = join(dirname(file), 'paths.txt');
  writeFileSync(paths, list.join('\n'));
  return { file: paths, list };
}

function addLinks(file: string, links: number): string[] {
  const main = connect(file, 'FULL');
  const clicks = connect(file, 'NORMAL');
  try {
    seed({ main, clicks, userId: 1, now: Date.now(), links, clickCount: 0 });
    // Otherwise the server would merge the search index while it is being measured.
    main.exec(`INSERT INTO links_search (links_search) VALUES ('optimize')`);
    main.pragma('wal_checkpoint(TRUNCATE)');
    return main
      .prepare<[], string>('SELECT alias FROM links WHERE archived = 0 AND expires_at IS NULL')
      .pluck()
      .all();
  } finally {
    clicks.close();
    main.close();
  }
}
