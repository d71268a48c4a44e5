/** A page as a query asks for it, already clamped by the contract's schema. */
export interface PageRequest {
  limit: number;
  page: number;
}

/** One page of rows and how many there are in all. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** The OFFSET of a page. */
export function offsetOf({ limit, page }: PageRequest): number {
  return (page - 1) * limit;
}

/** The figures of the pagination envelope (contract; decision 0002: past the end the page is empty). */
export function pageFigures(total: number, { limit, page }: PageRequest) {
  const maxpage = Math.max(1, Math.ceil(total / limit));
  return {
    result: total,
    perpage: limit,
    currentpage: page,
    nextpage: page < maxpage ? page + 1 : null,
    maxpage,
  };
}

/** The reply of a list: figures and rows under the resource's own key. */
export function pageReply<Key extends string, Row, Item>(
  key: Key,
  page: Page<Row>,
  request: PageRequest,
  present: (row: Row) => Item,
) {
  const items = { [key]: page.rows.map(present) } as Record<Key, Item[]>;
  return { data: { ...pageFigures(page.total, request), ...items } };
}
