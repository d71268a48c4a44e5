import type { SpawnedServer } from './spawned-server.ts';
import { withReader } from './stored-things.ts';

interface Slice {
  rows: { url: string; token: string }[];
}

const rowsOfSlice = 20;

/**
 * An import of links without aliases, by which they could be known again: slice after slice until the server answers no
 * more, and the slice without an answer once more to the next server.
 */
export function resentImports() {
  const slices: Slice[] = [];
  let unanswered: Slice | undefined;

  /** Whether it was answered. Throws when it was refused. */
  async function send({ origin }: SpawnedServer, key: string, slice: Slice): Promise<boolean> {
    let response: Response;
    try {
      response = await fetch(`${origin}/api/urls/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(slice),
      });
      await response.arrayBuffer();
    } catch {
      return false;
    }
    if (response.status !== 200) throw new Error(`an import was answered ${response.status}`);
    return true;
  }

  return {
    /** Imports until there is no answer. `round` is part of all addresses. */
    async start(server: SpawnedServer, key: string, round: string): Promise<void> {
      for (let batch = 0; ; batch += 1) {
        const rows = Array.from({ length: rowsOfSlice }, (_, index) => ({
          url: `https://unnamed.example/${round}/${batch}/${index}`,
          token: `import-${round}-${batch}-of-row-${index}`,
        }));
        const slice = { rows };
        slices.push(slice);
        if (await send(server, key, slice)) continue;
        unanswered = slice;
        return;
      }
    },

    /** Sends the slice again that had no answer. */
    async sendAgain(server: SpawnedServer, key: string): Promise<void> {
      if (unanswered && !(await send(server, key, unanswered))) throw new Error('there was no answer again');
      unanswered = undefined;
    },

    /** Rows of which there is no link in a data folder, or more than one. */
    notOnce(folder: string): string[] {
      const rows = withReader(folder, (connection) =>
        connection
          .prepare<[], { url: string; times: number }>(
            `SELECT url, count(*) AS times FROM links WHERE url LIKE 'https://unnamed.example/%' GROUP BY url`,
          )
          .all(),
      );
      const times = new Map(rows.map((row) => [row.url, row.times]));
      const urls = slices.flatMap((slice) => slice.rows.map(({ url }) => url));
      return urls.filter((url) => times.get(url) !== 1);
    },

    count: (): number => slices.length * rowsOfSlice,
  };
}
