import { ApiFailure } from './failure.ts';
import { pageSize } from './page-size.ts';

/** One page of a list. */
interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextpage: number | null;
}

interface PageQuery {
  readonly page: number;
  readonly limit: number;
}

/** More than any list offered as a choice contains. */
const mostRecords = 10_000;

/**
 * Loads all pages of a list; records that move between two requests are included only once. `load` fetches one page;
 * its errors are rethrown, including an AbortError when `signal` aborts. Throws an ApiFailure of kind `malformed` for
 * lists of more than `most` records, or if the server never returns a last page.
 */
export async function allRecords<Item extends object>(
  load: (query: PageQuery) => Promise<PageOf<Item>>,
  signal: AbortSignal,
  most: number = mostRecords,
): Promise<Item[]> {
  const found = new Map<unknown, Item>();
  for (let page: number | null = 1; page !== null; ) {
    signal.throwIfAborted();
    const { items, nextpage }: PageOf<Item> = await load({ page, limit: pageSize });
    // Records without an id, such as platform domains, are identified by the object itself.
    for (const item of items) found.set(Reflect.get(item, 'id') ?? item, item);
    if (found.size > most) {
      throw new ApiFailure('malformed', `The server lists more than ${most} entries. Delete some of them.`);
    }
    page = items.length > 0 && nextpage !== null && nextpage > page ? nextpage : null;
  }
  return [...found.values()];
}
