import type { LinkOrder } from './link-view.ts';

/** The optional columns; the short link is always shown. */
export const columnIds = [
  'title',
  'channels',
  'state',
  'clicks',
  'unique',
  'created',
  'expiry',
  'author',
] as const;
export type ColumnId = (typeof columnIds)[number];

/** Unusual states have a badge next to the short link, so the state column is off by default. */
export const defaultColumns: readonly ColumnId[] = ['title', 'channels', 'clicks', 'created'];

interface Column {
  /** The server's sort key, without direction. */
  readonly order?: 'date' | 'clicks' | 'name';
  /** Width and responsive visibility. Literals, so that Tailwind finds them. */
  readonly classes: string;
  readonly numeric?: boolean;
}

export const columns: Record<ColumnId, Column> = {
  title: { order: 'name', classes: 'w-40 hidden @3xl:table-cell @5xl:w-52' },
  channels: { classes: 'w-40 hidden @5xl:table-cell' },
  state: { classes: 'w-28 hidden @4xl:table-cell' },
  clicks: { order: 'clicks', classes: 'w-24 @max-lg:w-18', numeric: true },
  unique: { classes: 'w-24 hidden @4xl:table-cell', numeric: true },
  created: { order: 'date', classes: 'w-34 hidden @xl:table-cell' },
  expiry: { classes: 'w-34 hidden @5xl:table-cell' },
  /** Only in team accounts. */
  author: { classes: 'w-36 hidden @5xl:table-cell' },
};

/** The sort order after a click on a column header: the more useful direction first, then the opposite. */
export function nextOrder(current: LinkOrder, by: 'date' | 'clicks' | 'name'): LinkOrder {
  const usual = by === 'name' ? 'asc' : 'desc';
  const other = by === 'name' ? 'desc' : 'asc';
  return current === `${by}_${usual}` ? `${by}_${other}` : `${by}_${usual}`;
}
