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

/** More than any list has that is offered as a choice. */
const mostRecords = 10_000;

/**
 * The records of all pages of a list, each once even if rows moved between two requests. `load` fetches one page; what
 * it throws is thrown on, and AbortError when `signal` aborts. A list of more than `most` records, or one whose server
 * always names another page, is an ApiFailure of kind `malformed`.
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
    // What has no id, such as a domain of the platform, is told apart by itself.
    for (const item of items) found.set(Reflect.get(item, 'id') ?? item, item);
    if (found.size > most) {
      throw new ApiFailure('malformed', `The server lists more than ${most} entries. Delete some of them.`);
    }
    page = items.length > 0 && nextpage !== null && nextpage > page ? nextpage : null;
  }
  return [...found.values()];
}
